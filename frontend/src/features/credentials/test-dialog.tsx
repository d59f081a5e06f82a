/** Trying a credential: whether it answers, how fast, and which models it offers. */
import { Button, Modal, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inWords } from "@/api/client";
import { credentialsQuery, testCredential, updateCredential } from "@/api/credentials";
import type { Credential, CredentialTest } from "@/api/types";
import { LinesSkeleton } from "@/components/skeletons";
import { StateIcon } from "@/components/state-icon";
import { done } from "@/components/toasts";
import { formatCount, formatDuration } from "@/lib/format";
import classes from "./test-dialog.module.css";

interface TestDialogProps {
  credential: Credential;
  onClose: () => void;
  onEdit: () => void;
}

export function TestDialog({ credential, onClose, onEdit }: TestDialogProps) {
  const test = useQuery({
    queryKey: ["credentials", credential.id, "test"],
    queryFn: () => testCredential(credential.id),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const refused = test.isError
    ? { ok: false, message: inWords(test.error), models: [], latency_ms: null }
    : undefined;
  const result = test.isFetching ? undefined : (test.data ?? refused);
  return (
    <Modal opened onClose={onClose} title={`Test of ${credential.name}`} centered size={480}>
      <div aria-live="polite">
        {result ? (
          <Result credential={credential} result={result} onClose={onClose} />
        ) : (
          <div className={classes["asking"]}>
            <p>Asking {credential.base_url === "" ? credential.hosts.join(", ") : credential.base_url}</p>
            <LinesSkeleton lines={2} label="Waiting for the answer" />
          </div>
        )}
      </div>
      {result && !result.ok && (
        <div className={classes["actions"]}>
          <Button variant="default" onClick={onEdit}>
            Edit the credential
          </Button>
          <Button onClick={() => void test.refetch()}>Test again</Button>
        </div>
      )}
    </Modal>
  );
}

interface ResultProps {
  credential: Credential;
  result: CredentialTest;
  onClose: () => void;
}

function Result({ credential, result, onClose }: ResultProps) {
  const state = result.ok ? "succeeded" : "failed";
  return (
    <>
      <p className={classes["verdict"]} data-state={state}>
        <StateIcon state={state} decorative />
        <span>
          {result.message}
          {result.ok && result.latency_ms !== null && (
            <span className="hd-muted"> in {formatDuration(result.latency_ms / 1_000)}</span>
          )}
        </span>
      </p>
      {result.ok && credential.kind === "openai" && result.models.length > 0 && (
        <ModelChoice credential={credential} models={result.models} onClose={onClose} />
      )}
      {result.ok && result.models.length === 0 && (
        <div className={classes["actions"]}>
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
    </>
  );
}

interface ModelChoiceProps {
  credential: Credential;
  models: string[];
  onClose: () => void;
}

function ModelChoice({ credential, models, onClose }: ModelChoiceProps) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(() => firstChoice(credential, models));
  const saving = useMutation({
    mutationFn: () => updateCredential(credential.id, { models, default_model: chosen }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: credentialsQuery.queryKey });
      done(`${credential.name} is ready`, `Nodes use ${chosen} unless they name another model.`);
      onClose();
    },
  });
  return (
    <>
      <Select
        label="Default model"
        description={`${formatCount(models.length, "model")} found; nodes can choose any of them.`}
        data={models}
        searchable={models.length > 8}
        allowDeselect={false}
        value={chosen}
        error={saving.isError ? inWords(saving.error) : null}
        onChange={(value) => setChosen(value ?? chosen)}
      />
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={saving.isPending} onClick={() => saving.mutate()}>
          Use these models
        </Button>
      </div>
    </>
  );
}

function firstChoice(credential: Credential, models: readonly string[]): string {
  if (models.includes(credential.default_model)) return credential.default_model;
  return models[0] ?? "";
}
