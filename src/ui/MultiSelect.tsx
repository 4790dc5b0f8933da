import { MultiSelect as LibrarySelect, type MultiSelectProps } from '@mantine/core'
import { isLong, useList } from './useList'

/** Several of a list. `data` is `{ value, label }[]`. */
export function MultiSelect(props: MultiSelectProps) {
  const list = useList(props.onDropdownOpen, props.comboboxProps)
  return <LibrarySelect hidePickedOptions searchable={isLong(props.data)} {...props} {...list} />
}
