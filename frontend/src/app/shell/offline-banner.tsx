/** Says that the browser is offline, on every page, for as long as it is. */
import { useNetwork } from "@mantine/hooks";
import { Icon } from "@/components/icon";
import classes from "./offline-banner.module.css";

export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status" className={classes["place"]}>
      {!online && (
        <p className={classes["banner"]} data-state="waiting">
          <Icon name="offline" size={14} /> You are offline. What you see may be old; Heddle goes on by itself
          once you are back.
        </p>
      )}
    </div>
  );
}
