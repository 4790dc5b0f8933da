import { caps } from '../../../engine/values/caps'
import type { Json } from '../../../engine/values/json'
import type { CardText } from '../../ui/blockFace'

/** A rich text of the kind, for `BlockFace.texts`. */
export const richCardText = (name: string, shown = true): CardText => ({
  key: name,
  path: name,
  rich: true,
  max: caps.text,
  ...(!shown && { hidden: true }),
})

/** A line with variables, for `BlockFace.texts`. */
export const lineCardText = (name: string, max: number, shown = true): CardText => ({
  key: name,
  path: name,
  rich: false,
  max,
  ...(!shown && { hidden: true }),
})

/** A line without variables, for `BlockFace.texts`. */
export const plainCardText = (name: string, max: number): CardText => ({ ...lineCardText(name, max), plain: true })

interface ListOptions<Item> {
  /** the list's field */
  name: string
  items: readonly Item[]
  /** the most items */
  most: number
  fewest?: number
  /** the field of an item that is its text */
  part?: string
  /** texts without variables */
  plain?: boolean
  /** characters of a label */
  max?: number
  /** whether the face shows the item at this index */
  isShown?: (place: number) => boolean
  /** whether an item with an empty text may be removed; default: all */
  isRemovable?: (item: Item) => boolean
  create: (id: string) => Item
  /** returns the patch that replaces the list; for nested lists */
  write?: (list: readonly Item[]) => Readonly<Record<string, Json>>
}

/** The labels of a list's items, for `BlockFace.texts`: Enter adds one, Backspace removes an empty one. */
export const listCardTexts = <Item extends { id: string }>(options: ListOptions<Item>): CardText[] => {
  const { name, items, most, fewest = 0, part = 'label', plain, max = caps.label, create } = options
  const { isShown = () => true, isRemovable = () => true } = options
  const patch = options.write ?? ((list: readonly Item[]) => ({ [name]: list as unknown as Json }))
  return items.map((item, place) => ({
    key: item.id,
    path: `${name}.${place}.${part}`,
    rich: false,
    ...(plain && { plain }),
    max,
    ...(!isShown(place) && { hidden: true }),
    item: {
      place,
      count: items.length,
      add:
        items.length >= most
          ? null
          : (newId) => {
              const added = create(newId())
              return { key: added.id, patch: patch(items.toSpliced(place + 1, 0, added)) }
            },
      remove: items.length <= fewest || !isRemovable(item) ? null : () => ({ patch: patch(items.toSpliced(place, 1)) }),
    },
  }))
}
