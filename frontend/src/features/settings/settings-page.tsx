/** The workspace as it is known to others, and how the application looks here. */
import { Anchor, Button, SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SessionWorkspace } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { Icon } from "@/components/icon";
import { PageHeader } from "@/components/page-header";
import { themeChoices, useThemeChoice } from "@/lib/theme-choice";
import classes from "./settings-page.module.css";

export function SettingsPage({ workspace }: { workspace: SessionWorkspace | undefined }) {
  return (
    <>
      <PageHeader title="Settings" />
      <div className={classes["cards"]}>
        {workspace && <WorkspaceCard workspace={workspace} />}
        <LimitsCard />
        <AppearanceCard />
      </div>
    </>
  );
}

function WorkspaceCard({ workspace }: { workspace: SessionWorkspace }) {
  return (
    <section className={classes["card"]} aria-labelledby="workspace-heading">
      <h2 id="workspace-heading">Workspace</h2>
      <dl className={classes["facts"]}>
        <dt>Name</dt>
        <dd>{workspace.name}</dd>
        <dt>Your role</dt>
        <dd>{workspace.role}</dd>
        <dt>Id</dt>
        <dd className={classes["id"]}>
          <code>{workspace.id}</code> <CopyButton text={workspace.id} label="Copy the id" iconOnly />
        </dd>
      </dl>
      <p className={classes["hint"]}>
        Workflows, runs, credentials and keys belong to the workspace. The API is described in its{" "}
        <Anchor href="/api/docs/" target="_blank" rel="noopener" inherit>
          reference
        </Anchor>
        .
      </p>
    </section>
  );
}

function LimitsCard() {
  return (
    <section className={classes["card"]} aria-labelledby="limits-heading">
      <h2 id="limits-heading">Limits</h2>
      <p className={classes["hint"]}>
        How many steps run at once, and how many start in a time: by credential, model, workflow, or for the
        whole workspace.
      </p>
      <Button component={Link} to="/limits" variant="default">
        Open the limits
      </Button>
    </section>
  );
}

function AppearanceCard() {
  const theme = useThemeChoice();
  return (
    <section className={classes["card"]} aria-labelledby="appearance-heading">
      <h2 id="appearance-heading">Appearance</h2>
      <SegmentedControl
        aria-labelledby="appearance-heading"
        withItemsBorders={false}
        value={theme.choice}
        onChange={(value) => theme.choose(value)}
        data={themeChoices.map((each) => ({
          value: each.value,
          label: (
            <span className="hd-row">
              <Icon name={each.icon} size={14} /> {each.name}
            </span>
          ),
        }))}
      />
      <p className={classes["hint"]}>Kept in this browser.</p>
    </section>
  );
}
