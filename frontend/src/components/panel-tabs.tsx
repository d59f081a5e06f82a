/** Tabs of a panel: words on one line, the open one underlined. */
import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./panel-tabs.module.css";

interface PanelTab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

interface PanelTabsProps {
  tabs: readonly PanelTab[];
  value?: string | null;
  onChange?: (value: string | null) => void;
  /** Beside the tabs, at the right. */
  beside?: ReactNode;
  /** Between the tabs and the open panel, whichever it is. */
  below?: ReactNode;
  bodyClass: string | undefined;
}

export function PanelTabs({ tabs, value, onChange, beside, below, bodyClass }: PanelTabsProps) {
  const controlled = value === undefined ? { defaultValue: tabs[0]?.value ?? null } : { value };
  return (
    <Tabs
      {...controlled}
      {...(onChange ? { onChange } : {})}
      keepMounted={false}
      classNames={{ root: classes["root"] ?? "", list: classes["list"] ?? "", tab: classes["tab"] ?? "" }}
    >
      <Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            {tab.label}
          </Tabs.Tab>
        ))}
        {beside}
      </Tabs.List>
      {below}
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.value} value={tab.value} className={bodyClass ?? ""}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
