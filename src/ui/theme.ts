import {
  type CSSVariablesResolver,
  createTheme,
  Input,
  InputWrapper,
  type MantineColorsTuple,
  Menu,
  Modal,
  MultiSelect,
  PasswordInput,
  Popover,
  Select,
  Skeleton,
  Switch,
  Tabs,
  Tooltip,
} from '@mantine/core'
import { Check } from 'lucide-react'
import { createElement } from 'react'
import controls from './controls.module.css'
import overlays from './overlays.module.css'

const teal: MantineColorsTuple = [
  '#edf8f6',
  '#dcf1ee',
  '#b4e0da',
  '#88cec5',
  '#5cbab0',
  '#2f9f94',
  '#0f766e',
  '#0b5f59',
  '#094d48',
  '#063b37',
]

/** The component library's theme: sizes, colours and radii from tokens.css. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 6, dark: 4 },
  colors: { teal },
  fontFamily: 'var(--p-font)',
  fontFamilyMonospace: 'var(--p-mono)',
  fontSizes: { xs: '11px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '22px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  shadows: {
    xs: 'var(--p-shadow-1)',
    sm: 'var(--p-shadow-1)',
    md: 'var(--p-shadow-2)',
    lg: 'var(--p-shadow-3)',
    xl: 'var(--p-shadow-3)',
  },
  headings: { fontFamily: 'var(--p-font)', fontWeight: '600' },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Input: Input.extend({
      classNames: {
        wrapper: controls.inputWrapper,
        input: controls.input,
        section: controls.section,
      },
    }),
    InputWrapper: InputWrapper.extend({
      defaultProps: {
        inputWrapperOrder: ['label', 'description', 'input', 'error'],
      },
      classNames: {
        label: controls.label,
        description: controls.description,
        error: controls.error,
        required: controls.required,
      },
    }),
    PasswordInput: PasswordInput.extend({
      classNames: {
        innerInput: controls.passwordInput,
        visibilityToggle: controls.reveal,
      },
    }),
    Select: Select.extend({
      defaultProps: {
        allowDeselect: false,
        checkIconPosition: 'right',
        comboboxProps: { shadow: 'md', offset: 4 },
      },
      classNames: {
        dropdown: overlays.dropdown,
        option: overlays.option,
        groupLabel: overlays.listGroup,
        empty: overlays.listEmpty,
      },
    }),
    MultiSelect: MultiSelect.extend({
      defaultProps: { checkIconPosition: 'right', comboboxProps: { shadow: 'md', offset: 4 } },
      classNames: {
        dropdown: overlays.dropdown,
        option: overlays.option,
        groupLabel: overlays.listGroup,
        empty: overlays.listEmpty,
        pill: controls.pill,
      },
    }),
    Switch: Switch.extend({
      defaultProps: { size: 'xs', withThumbIndicator: false },
      classNames: {
        track: controls.switchTrack,
        label: controls.switchLabel,
        description: controls.switchDescription,
        thumb: controls.switchThumb,
        body: controls.switchBody,
      },
    }),
    Skeleton: Skeleton.extend({ classNames: { root: controls.skeleton } }),
    Menu: Menu.extend({
      defaultProps: {
        shadow: 'md',
        offset: 4,
        position: 'bottom-start',
        // otherwise the menu starts with a focusable element without a role
        withInitialFocusPlaceholder: false,
        alignItemsLabels: 'none',
        checkIcon: createElement(Check, { size: 14 }),
        transitionProps: { transition: 'fade', duration: 80 },
      },
      classNames: {
        dropdown: overlays.dropdown,
        item: overlays.item,
        itemSection: overlays.itemSection,
        itemIndicator: overlays.indicator,
        label: overlays.menuLabel,
        divider: overlays.divider,
      },
    }),
    Popover: Popover.extend({
      defaultProps: {
        shadow: 'md',
        offset: 6,
        transitionProps: { transition: 'fade', duration: 80 },
      },
      classNames: { dropdown: overlays.popover },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        // tooltips of icons appear at once
        openDelay: 0,
        closeDelay: 40,
        offset: 6,
        maw: 350,
        multiline: true,
        events: { hover: true, focus: true, touch: false },
      },
      classNames: { tooltip: overlays.tooltip },
    }),
    Modal: Modal.extend({
      defaultProps: {
        size: 440,
        // a low window needs the space for its content
        yOffset: 'clamp(16px, (100dvh - 720px) / 2, 14vh)',
        padding: 0,
        overlayProps: { backgroundOpacity: 1, color: 'var(--p-overlay)' },
        transitionProps: { transition: 'fade', duration: 120 },
        // the library's <header> would be a second banner of the page
        attributes: { header: { role: 'presentation' } },
      },
      classNames: {
        content: overlays.modal,
        header: overlays.modalHeader,
        title: overlays.modalTitle,
        close: overlays.modalClose,
        body: overlays.modalBody,
        overlay: overlays.overlay,
      },
    }),
    Tabs: Tabs.extend({
      classNames: { list: overlays.tabs, tab: overlays.tab },
    }),
  },
})

const colours = {
  '--mantine-color-body': 'var(--p-bg)',
  '--mantine-color-text': 'var(--p-text)',
  '--mantine-color-bright': 'var(--p-text)',
  '--mantine-color-dimmed': 'var(--p-text-muted)',
  '--mantine-color-placeholder': 'var(--p-text-faint)',
  '--mantine-color-anchor': 'var(--p-accent-text)',
  '--mantine-color-error': 'var(--p-danger)',
  '--mantine-color-default': 'var(--p-surface)',
  '--mantine-color-default-hover': 'var(--p-surface-2)',
  '--mantine-color-default-color': 'var(--p-text)',
  '--mantine-color-default-border': 'var(--p-border)',
  '--mantine-color-disabled': 'var(--p-surface-2)',
  '--mantine-color-disabled-color': 'var(--p-text-faint)',
  '--mantine-color-disabled-border': 'var(--p-border)',
  '--mantine-primary-color-filled': 'var(--p-accent)',
  '--mantine-primary-color-filled-hover': 'var(--p-accent-hover)',
  '--mantine-primary-color-light': 'var(--p-accent-soft)',
  '--mantine-primary-color-light-color': 'var(--p-accent-text)',
  '--mantine-primary-color-contrast': 'var(--p-on-accent)',
}

/** The library's semantic colours mapped to our tokens, which handle light and dark. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: colours,
  dark: colours,
})
