/** The dialog of the credentials' page that is open, if any. */
import type { Credential } from "@/api/types";
import { CredentialDialog } from "./credential-dialog";
import { DeleteDialog } from "./delete-dialog";
import { TestDialog } from "./test-dialog";

export type OpenDialog =
  | { dialog: "new" }
  | { dialog: "edit"; credential: Credential }
  | { dialog: "test"; credential: Credential }
  | { dialog: "delete"; credential: Credential };

interface DialogsProps {
  open: OpenDialog | null;
  firstEndpoint: boolean;
  isAdmin: boolean;
  onOpen: (dialog: OpenDialog | null) => void;
}

export function Dialogs({ open, firstEndpoint, isAdmin, onOpen }: DialogsProps) {
  if (open === null) return null;
  const close = () => onOpen(null);
  switch (open.dialog) {
    case "test":
      return (
        <TestDialog
          credential={open.credential}
          onClose={close}
          onEdit={() => onOpen({ dialog: "edit", credential: open.credential })}
        />
      );
    case "delete":
      return <DeleteDialog credential={open.credential} onClose={close} />;
    case "new":
    case "edit":
      return (
        <CredentialDialog
          credential={open.dialog === "edit" ? open.credential : null}
          firstEndpoint={firstEndpoint}
          isAdmin={isAdmin}
          onClose={close}
          onSaved={(saved) =>
            onOpen(
              saved.kind === "openai" && open.dialog === "new" ? { dialog: "test", credential: saved } : null,
            )
          }
        />
      );
  }
}
