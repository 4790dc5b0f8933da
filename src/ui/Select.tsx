import { Select as LibrarySelect, type SelectProps } from '@mantine/core'
import { ChevronDown } from 'lucide-react'

/** One of a list. `data` is `{ value, label }[]`; `searchable` for long lists. */
export function Select(props: SelectProps) {
  return <LibrarySelect rightSection={<ChevronDown size={14} />} rightSectionPointerEvents="none" {...props} />
}
