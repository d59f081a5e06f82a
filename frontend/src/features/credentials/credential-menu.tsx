/** The actions of one credential. */
import { ActionIcon, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { credentialsQuery, updateCredential } from "@/api/credentials";
import type { Credential } from "@/api/types";
import { aboveRow } from "@/components/data-table";
import { Icon } from "@/components/icon";
import { failed } from "@/components/toasts";
import type { OpenDialog } from "./dialogs";

interface CredentialMenuProps {
  credential: Credential;
  onOpen: (dialog: OpenDialog) => void;
}

export function CredentialMenu({ credential, onOpen }: CredentialMenuProps) {
  const queryClient = useQueryClient();
  const preferring = useMutation({
    mutationFn: () => updateCredential(credential.id, { default: true }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: credentialsQuery.queryKey }),
    onError: (error) => failed(`${credential.name} could not be made the default`, error),
  });
  return (
    <Menu position="bottom-end" width={192}>
      <Menu.Target>
        <ActionIcon className={aboveRow} size="xs" aria-label={`Actions for ${credential.name}`}>
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="pulse" />} onClick={() => onOpen({ dialog: "test", credential })}>
          Test
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => onOpen({ dialog: "edit", credential })}>
          Edit
        </Menu.Item>
        {credential.kind === "openai" && !credential.default && (
          <Menu.Item leftSection={<Icon name="star" />} onClick={() => preferring.mutate()}>
            Make the default
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          data-danger
          leftSection={<Icon name="trash" />}
          onClick={() => onOpen({ dialog: "delete", credential })}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
