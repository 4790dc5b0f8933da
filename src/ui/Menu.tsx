import { Menu as LibraryMenu, type MenuItemProps, type MenuProps } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import { type ComponentPropsWithoutRef, useEffect } from 'react'
import { Link } from 'react-router'

export interface MenuEntryProps extends MenuItemProps, Omit<ComponentPropsWithoutRef<'button'>, keyof MenuItemProps> {
  danger?: boolean
  /** makes it a link to a page of the app */
  to?: string
}

/**
 * `Menu`, `Menu.Target`, `Menu.Dropdown`, `Menu.Label`, `Menu.Divider` contain `MenuEntry`. Escape closes it wherever
 * the focus is.
 */
export const Menu = Object.assign(MenuWithEscape, {
  Target: LibraryMenu.Target,
  Dropdown: LibraryMenu.Dropdown,
  Label: LibraryMenu.Label,
  Divider: LibraryMenu.Divider,
  Item: LibraryMenu.Item,
  RadioGroup: LibraryMenu.RadioGroup,
  RadioItem: LibraryMenu.RadioItem,
})

function MenuWithEscape({ opened, defaultOpened, onChange, ...props }: MenuProps) {
  const [open, setOpen] = useUncontrolled({ value: opened, defaultValue: defaultOpened, finalValue: false, onChange })
  useEffect(() => {
    if (!open) return
    // the library handles it only in the list, where the focus may not be
    const onKey = (event: KeyboardEvent) => {
      const isInMenu = event.target instanceof Element && event.target.closest('[role="menu"]') !== null
      if (event.key !== 'Escape' || isInMenu) return
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [open, setOpen])
  return <LibraryMenu opened={open} onChange={setOpen} {...props} />
}

export function MenuEntry({ danger, to, ...props }: MenuEntryProps) {
  const look = { 'data-danger': danger || undefined }
  if (to !== undefined) return <LibraryMenu.Item component={Link} to={to} {...(props as MenuItemProps)} {...look} />
  return <LibraryMenu.Item {...props} {...look} />
}
