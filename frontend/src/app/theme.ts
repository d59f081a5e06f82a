/** The visual language as a Mantine theme; the values themselves live in tokens.css. */
import {
  ActionIcon,
  Button,
  createTheme,
  Input,
  Menu,
  Modal,
  type CSSVariablesResolver,
} from "@mantine/core";

const heights: Record<string, string> = { xs: "28px", sm: "32px", md: "44px" };

function heightOf(size: unknown): string {
  return heights[typeof size === "string" ? size : "sm"] ?? "32px";
}

export const theme = createTheme({
  fontFamily: "var(--hd-font)",
  fontFamilyMonospace: "var(--hd-mono)",
  white: "#ffffff",
  black: "#201e19",
  primaryColor: "indigoDye",
  primaryShade: { light: 8, dark: 6 },
  autoContrast: false,
  colors: {
    indigoDye: [
      "#f3f5fe",
      "#e4ebff",
      "#ced9fe",
      "#b2c2f8",
      "#a5b7f8",
      "#788cdd",
      "#576bcb",
      "#495bbd",
      "#3c4ca6",
      "#313e93",
    ],
    gray: [
      "#faf9f6",
      "#f6f4f1",
      "#f2f0ec",
      "#eae8e3",
      "#e4e2dd",
      "#cfccc6",
      "#8f8c84",
      "#68645d",
      "#4d4a43",
      "#201e19",
    ],
    dark: [
      "#ebecf1",
      "#bec0c9",
      "#9a9ca7",
      "#6b6e7b",
      "#3d404a",
      "#2b2d37",
      "#21222a",
      "#191b22",
      "#14161c",
      "#0f1117",
    ],
  },
  fontSizes: { xs: "11px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "20px", md: "20px", lg: "24px", xl: "28px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "4px", sm: "6px", md: "10px", lg: "14px", xl: "20px" },
  defaultRadius: "sm",
  breakpoints: { xs: "30em", sm: "40em", md: "64em", lg: "90em", xl: "120em" },
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "20px", lineHeight: "28px" }, h2: { fontSize: "14px", lineHeight: "20px" } },
  },
  shadows: { xs: "var(--hd-shadow-1)", md: "var(--hd-shadow-2)", xl: "var(--hd-shadow-3)" },
  focusRing: "auto",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Button: Button.extend({
      defaultProps: { size: "sm" },
      vars: (_theme, props) => ({ root: { "--button-height": heightOf(props.size) } }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: "subtle", color: "gray", size: "sm" },
      vars: (_theme, props) => ({ root: { "--ai-size": heightOf(props.size) } }),
    }),
    // The placeholder is focusable, which a menu may not hold beside its items.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
    Input: Input.extend({
      defaultProps: { size: "sm" },
      vars: (_theme, props) => ({ wrapper: { "--input-height": heightOf(props.size) } }),
    }),
  },
});

const shared = {
  "--mantine-color-body": "var(--hd-canvas)",
  "--mantine-color-text": "var(--hd-text)",
  "--mantine-color-dimmed": "var(--hd-text-3)",
  "--mantine-color-placeholder": "var(--hd-text-3)",
  "--mantine-color-default": "var(--hd-surface)",
  "--mantine-color-default-hover": "var(--hd-hover)",
  "--mantine-color-default-border": "var(--hd-line-2)",
  "--mantine-color-default-color": "var(--hd-text)",
  "--mantine-color-error": "var(--hd-failed)",
  "--mantine-color-anchor": "var(--hd-accent-fg)",
  "--mantine-primary-color-filled": "var(--hd-accent)",
  "--mantine-primary-color-filled-hover": "var(--hd-accent-hover)",
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
});
