/** A page that could not be opened, with the way to try again. */
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "@/components/error-state";
import classes from "./lonely-page.module.css";

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className={classes["page"]}>
      <ErrorState title="This page could not be opened" error={error} retry={again} />
    </div>
  );
}
