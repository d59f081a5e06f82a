/** A workspace without workflows: what to do first, and samples that run as they are. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "@/components/empty-state";
import { Icon } from "@/components/icon";
import classes from "./empty-workflows.module.css";
import { samplesQuery, type Sample } from "./samples";
import { sketch } from "./sketch";

interface EmptyWorkflowsProps {
  busy: boolean;
  onNew: () => void;
  onImport: () => void;
  onSample: (sample: Sample) => void;
}

export function EmptyWorkflows({ busy, onNew, onImport, onSample }: EmptyWorkflowsProps) {
  const { data: samples = [] } = useQuery(samplesQuery);
  return (
    <div className={classes["page"]}>
      <EmptyState
        picture
        title="Draw your first workflow"
        text="Put agents and tools on a canvas and connect them. Whatever does not depend on each other runs at the same time."
      >
        <Button leftSection={<Icon name="plus" />} loading={busy} onClick={onNew}>
          New workflow
        </Button>
        <Button variant="default" leftSection={<Icon name="import" />} onClick={onImport}>
          Import a file
        </Button>
      </EmptyState>
      <div className={classes["samples"]}>
        {samples.map((sample) => (
          <SampleCard
            key={sample.document.name}
            sample={sample}
            disabled={busy}
            onOpen={() => onSample(sample)}
          />
        ))}
      </div>
    </div>
  );
}

interface SampleCardProps {
  sample: Sample;
  disabled: boolean;
  onOpen: () => void;
}

function SampleCard({ sample, disabled, onOpen }: SampleCardProps) {
  const { boxes, lines } = sketch(sample.document);
  return (
    <button type="button" className={classes["sample"]} disabled={disabled} onClick={onOpen}>
      <svg className={classes["picture"]} viewBox="0 0 216 96" aria-hidden>
        {lines.map((line) => (
          <path key={line} d={line} />
        ))}
        {boxes.map(({ id, ...box }) => (
          <rect key={id} {...box} rx="4" />
        ))}
      </svg>
      <h3>{sample.document.name}</h3>
      <span className="hd-small hd-muted">{sample.document.description}</span>
    </button>
  );
}
