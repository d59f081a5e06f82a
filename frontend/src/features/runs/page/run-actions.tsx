/** Pause, resume, retry, cancel and run again: those that are possible now. */
import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Icon } from "@/components/icon";
import type { IconName } from "@/components/icon-names";
import { failed } from "@/components/toasts";
import { useOpenRun } from "../stream/run-context";
import { useIsLive } from "../stream/use-figures";
import { CancelDialog } from "./cancel-dialog";
import { ResumeDialog } from "./resume-dialog";
import classes from "./run-page.module.css";
import { useRunAgain } from "./use-run-again";
import { useSteering, type Steering } from "./use-steering";

type Asking = "cancel" | "retry" | "resume" | null;

export function RunActions({ size }: { size: "xs" | "md" }) {
  const { run } = useOpenRun();
  const live = useIsLive();
  const again = useRunAgain();
  const steering = useSteering();
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  const resume = () =>
    run.budget
      ? setAsking("resume")
      : steering.resume.mutate(undefined, {
          onError: (error) => failed("The run could not go on", error),
        });
  return (
    <>
      {steering.mayPause && (
        <Action
          size={size}
          icon="pause"
          word="Pause"
          mutation={steering.pause}
          onClick={() => steering.pause.mutate()}
        />
      )}
      {steering.mayResume && (
        <Action size={size} icon="play" word="Resume" mutation={steering.resume} onClick={resume} />
      )}
      {steering.mayRetry && (
        <Action
          size={size}
          icon="retry"
          word="Retry"
          mutation={steering.retry}
          onClick={() => setAsking("retry")}
        />
      )}
      {live ? (
        <Action
          size={size}
          icon="stop"
          word="Cancel run"
          className={classes["danger"] ?? ""}
          onClick={() => setAsking("cancel")}
        />
      ) : (
        <Action size={size} icon="play" word="Run again" mutation={again} onClick={() => again.mutate()} />
      )}
      <CancelDialog opened={asking === "cancel" && live} onClose={close} />
      {asking === "retry" && <RetryDialog steering={steering} onClose={close} />}
      {asking === "resume" && <ResumeDialog steering={steering} onClose={close} />}
    </>
  );
}

interface ActionProps extends Pick<ButtonProps, "className"> {
  size: "xs" | "md";
  icon: IconName;
  word: string;
  mutation?: { isPending: boolean };
  onClick: () => void;
}

function Action({ size, icon, word, mutation, className, onClick }: ActionProps) {
  return (
    <Button
      size={size}
      variant="default"
      className={className ?? ""}
      loading={mutation?.isPending ?? false}
      leftSection={<Icon name={icon} size={14} />}
      onClick={onClick}
    >
      {word}
    </Button>
  );
}

function RetryDialog({ steering: { retry }, onClose }: { steering: Steering; onClose: () => void }) {
  return (
    <ConfirmDialog
      opened
      title="Retry this run?"
      verb="Retry run"
      busy={retry.isPending}
      error={retry.error}
      onConfirm={() => retry.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      The same run goes on from what succeeded: nothing of that is paid twice. What failed or was cancelled
      runs once more.
    </ConfirmDialog>
  );
}
