export { Switch, type SwitchProps } from '@mantine/core'
