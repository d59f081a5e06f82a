/** The navigation of a phone: three places and the rest behind More. */
import { Link } from "@tanstack/react-router";
import { Icon } from "@/components/icon";
import type { IconName } from "@/components/icon-names";
import classes from "./phone-tabs.module.css";

const tabs = [
  { to: "/workflows", name: "Workflows", icon: "flow" },
  { to: "/runs", name: "Runs", icon: "runs" },
  { to: "/credentials", name: "Credentials", icon: "key" },
  { to: "/more", name: "More", icon: "menu" },
] as const satisfies readonly { to: string; name: string; icon: IconName }[];

export function PhoneTabs() {
  return (
    <nav className={classes["bar"]} aria-label="Main">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={classes["tab"]}
          activeProps={{ className: classes["here"] ?? "" }}
        >
          <Icon name={tab.icon} size={20} />
          {tab.name}
        </Link>
      ))}
    </nav>
  );
}
