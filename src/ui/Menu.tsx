import { Menu as LibraryMenu, type MenuItemProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import { Link } from 'react-router'

export interface MenuEntryProps extends MenuItemProps, Omit<ComponentPropsWithoutRef<'button'>, keyof MenuItemProps> {
  danger?: boolean
  /** makes it a link to a page of the app */
  to?: string
}

/** `Menu`, `Menu.Target`, `Menu.Dropdown`, `Menu.Label`, `Menu.Divider` hold `MenuEntry`. */
export const Menu = LibraryMenu

export function MenuEntry({ danger, to, ...props }: MenuEntryProps) {
  const look = { 'data-danger': danger || undefined }
  if (to !== undefined) return <LibraryMenu.Item component={Link} to={to} {...(props as MenuItemProps)} {...look} />
  return <LibraryMenu.Item {...props} {...look} />
}
