import { Select as LibrarySelect, type SelectProps } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isLong, useList } from './useList'

/**
 * One of a list. `data` is `{ value, label }[]`, or `{ group, items }[]` where that helps to find one; above ten
 * options one can type to find one.
 */
export function Select({ onClick, ...props }: SelectProps) {
  const { t } = useTranslation()
  const list = useList(props.onDropdownOpen)
  const searchable = props.searchable ?? isLong(props.data)
  return (
    <LibrarySelect
      rightSection={<ChevronDown size={14} />}
      rightSectionPointerEvents="none"
      nothingFoundMessage={searchable ? t('noMatch') : undefined}
      onClick={(event) => {
        // what is typed takes the place of what was chosen, else it would be searched for behind it
        if (searchable) event.currentTarget.select()
        onClick?.(event)
      }}
      {...props}
      {...list}
      searchable={searchable}
      // what is found by typing is taken by Enter
      selectFirstOptionOnChange={searchable}
    />
  )
}
