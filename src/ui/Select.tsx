import { Select as LibrarySelect, type SelectProps } from '@mantine/core'
import { ChevronDown } from 'lucide-react'

/** One of a list. `data` is `{ value, label }[]`; `searchable` for long lists. */
export function Select({ onClick, ...props }: SelectProps) {
  return (
    <LibrarySelect
      rightSection={<ChevronDown size={14} />}
      rightSectionPointerEvents="none"
      onClick={(event) => {
        // what is typed takes the place of what was chosen, else it would be searched for behind it
        if (props.searchable) event.currentTarget.select()
        onClick?.(event)
      }}
      {...props}
    />
  )
}
