/** On a phone: the places that have no tab of their own, and the person's own matters. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";
import { Icon } from "@/components/icon";
import { PageHeader } from "@/components/page-header";
import { themeChoices, useThemeChoice } from "@/lib/theme-choice";
import { placesFor } from "../shell/places";
import { nameOf, useSignOut } from "../shell/user-menu";
import classes from "./more-route.module.css";

export function MoreRoute() {
  const { data: session } = useQuery(sessionQuery);
  const theme = useThemeChoice();
  const leave = useSignOut();
  const groups = placesFor({ isAdmin: session?.user?.is_admin ?? false }).filter(
    (group) => group.heading !== null,
  );
  return (
    <>
      <PageHeader title="More" />
      {groups.map((group) => (
        <section key={group.heading} className={classes["group"]}>
          <h2>{group.heading}</h2>
          <div className={classes["card"]}>
            {group.places.map((place) => (
              <Link key={place.to} to={place.to} className={classes["line"]}>
                <Icon name={place.icon} /> <span className="hd-grow">{place.name}</span>
                <Icon name="right" size={14} />
              </Link>
            ))}
          </div>
        </section>
      ))}
      <section className={classes["group"]}>
        <h2>Appearance</h2>
        <div className={classes["card"]} role="group" aria-label="Appearance">
          {themeChoices.map((each) => (
            <button
              key={each.value}
              type="button"

              aria-pressed={theme.choice === each.value}
              className={classes["line"]}
              onClick={() => theme.choose(each.value)}
            >
              <Icon name={each.icon} /> <span className="hd-grow">{each.name}</span>
              {theme.choice === each.value && <Icon name="check" size={14} />}
            </button>
          ))}
        </div>
      </section>
      {session?.user && (
        <section className={classes["group"]}>
          <h2>{nameOf(session.user)}</h2>
          <div className={classes["card"]}>
            <Link to="/account/password" className={classes["line"]}>
              <Icon name="lock" /> <span className="hd-grow">Change password</span>
              <Icon name="right" size={14} />
            </Link>
            <button type="button" className={classes["line"]} onClick={() => leave.mutate()}>
              <Icon name="out" /> <span className="hd-grow">Sign out</span>
            </button>
          </div>
        </section>
      )}
    </>
  );
}
