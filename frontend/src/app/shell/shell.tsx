/** The frame of ordinary pages: navigation at the left, tabs at the bottom on a phone. */
import { Outlet } from "@tanstack/react-router";
import { Navigation } from "./navigation";
import { OfflineBanner } from "./offline-banner";
import { PhoneTabs } from "./phone-tabs";
import classes from "./shell.module.css";

export function Shell() {
  return (
    <div className={classes["frame"]}>
      <a className={classes["skip"]} href="#page">
        Skip to the page
      </a>
      <Navigation />
      <div className={classes["content"]}>
        <OfflineBanner />
        <main id="page" tabIndex={-1} className={classes["page"]}>
          <Outlet />
        </main>
      </div>
      <PhoneTabs />
    </div>
  );
}
