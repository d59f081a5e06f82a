/** Cancelling cannot be undone, so it is asked about. */
import { useMutation } from "@tanstack/react-query";
import { cancelRun } from "@/api/runs";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useOpenRun } from "../stream/run-context";

export function CancelDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { run } = useOpenRun();
  const cancel = useMutation({ mutationFn: () => cancelRun(run.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      opened={opened}
      title="Cancel this run?"
      verb="Cancel run"
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      What runs now is stopped. What has finished stays readable here.
    </ConfirmDialog>
  );
}
