import { Select as LibrarySelect, type SelectProps } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isLong, useList } from './useList'

/** One of a list. `data` is `{ value, label }[]`, or `{ group, items }[]`; searchable above ten options. */
export function Select({ onClick, ...props }: SelectProps) {
  const { t } = useTranslation()
  const list = useList(props.onDropdownOpen, props.comboboxProps)
  const searchable = props.searchable ?? isLong(props.data)
  return (
    <LibrarySelect
      rightSection={<ChevronDown size={14} />}
      rightSectionPointerEvents="none"
      nothingFoundMessage={searchable ? t('noMatch') : undefined}
      onClick={(event) => {
        // typing replaces the previous choice instead of being appended to it
        if (searchable) event.currentTarget.select()
        onClick?.(event)
      }}
      {...props}
      {...list}
      searchable={searchable}
      // Enter chooses the first result
      selectFirstOptionOnChange={searchable}
    />
  )
}
