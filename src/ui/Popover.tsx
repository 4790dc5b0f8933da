export { Popover, type PopoverProps } from '@mantine/core'
