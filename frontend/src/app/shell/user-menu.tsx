/** What a person does about themselves: password, light or dark, signing out. */
import { Menu, UnstyledButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { signOut } from "@/api/session";
import type { SessionUser } from "@/api/types";
import { Avatar } from "@/components/avatar";
import { Icon } from "@/components/icon";
import { failed } from "@/components/toasts";
import { themeChoices, useThemeChoice, type ThemeChoice } from "@/lib/theme-choice";
import classes from "./user-menu.module.css";

export function UserMenu({ user }: { user: SessionUser }) {
  const theme = useThemeChoice();
  const leave = useSignOut();
  return (
    <Menu position="top-start" width={224}>
      <Menu.Target>
        <UnstyledButton className={classes["person"]}>
          <Avatar name={nameOf(user)} size={20} />
          <span className={classes["words"]}>{nameOf(user)}</span>
          <span className="hd-sr">account menu</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          leftSection={<Icon name="lock" />}
          renderRoot={(props) => <Link to="/account/password" {...props} />}
        >
          Change password
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={theme.choice} onChange={(value) => theme.choose(value as ThemeChoice)}>
          {themeChoices.map((each) => (
            <Menu.RadioItem key={each.value} value={each.value} rightSection={<Icon name={each.icon} />}>
              {each.name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => leave.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function nameOf(user: SessionUser): string {
  return user.name === "" ? user.email : user.name;
}

export function useSignOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: "/sign-in", search: {} });
    },
    onError: (error) => failed("Signing out did not work", error),
  });
}
