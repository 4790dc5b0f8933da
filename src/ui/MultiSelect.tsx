import { MultiSelect as LibrarySelect, type MultiSelectProps } from '@mantine/core'

/** Several of a list. `data` is `{ value, label }[]`. */
export function MultiSelect(props: MultiSelectProps) {
  return <LibrarySelect hidePickedOptions {...props} />
}
