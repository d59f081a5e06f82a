/** Copies a text and says so where it was pressed. */
import { ActionIcon, Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Icon } from "./icon";

interface CopyButtonProps {
  text: string;
  label?: string;
  iconOnly?: boolean;
}

export function CopyButton({ text, label = "Copy", iconOnly = false }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: 2_000 });
  const icon = <Icon name={clipboard.copied ? "check" : "copy"} size={14} />;
  if (iconOnly) {
    return (
      <ActionIcon
        size="xs"
        aria-label={clipboard.copied ? "Copied" : label}
        onClick={() => clipboard.copy(text)}
      >
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Button size="xs" variant="subtle" color="gray" leftSection={icon} onClick={() => clipboard.copy(text)}>
      <span aria-live="polite">{clipboard.copied ? "Copied" : label}</span>
    </Button>
  );
}
