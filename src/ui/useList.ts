import type { ComboboxData, ComboboxProps } from '@mantine/core'
import { useRef, useState } from 'react'

/** Lists with more options are searchable. */
const MANY = 10

/** px between the field and its list, and the window's edge; with the list's padding and border */
const AROUND = 4 + 12 + 10

/** Whether a list is searchable: by its number of options, including those in groups. */
export function isLong(data: ComboboxData | undefined): boolean {
  let count = 0
  for (const entry of data ?? []) count += typeof entry === 'object' && 'items' in entry ? entry.items.length : 1
  return count > MANY
}

interface Room {
  availableHeight: number
  elements: { floating: HTMLElement }
}

/** The field may move while its list is open: then the list has the room that is left. */
const placing = {
  shadow: 'md',
  offset: 4,
  middlewares: {
    flip: true,
    shift: true,
    size: {
      padding: 8,
      apply: ({ availableHeight, elements }: Room) =>
        elements.floating.style.setProperty('--list-room', `${Math.max(80, availableHeight - 10)}px`),
    },
  },
}

/**
 * How every list of options opens: as high as it needs to be, and the window has room for above or below the field;
 * with a scroll bar that shows where that is less.
 */
export function useList(onOpen: (() => void) | undefined, comboboxProps: ComboboxProps | undefined) {
  const ref = useRef<HTMLInputElement>(null)
  const [height, setHeight] = useState(300)
  return {
    ref,
    maxDropdownHeight: `min(${height}px, var(--list-room, 100vh))`,
    scrollAreaProps: { type: 'auto', scrollbarSize: 8 },
    comboboxProps: { ...placing, ...comboboxProps },
    onDropdownOpen: () => {
      const box = ref.current?.getBoundingClientRect()
      if (box) setHeight(Math.max(box.top, window.innerHeight - box.bottom) - AROUND)
      onOpen?.()
    },
  } as const
}
