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
  /** where the list is in the data */
  name: string
  items: readonly Item[]
  /** how many there may be */
  most: number
  fewest?: number
  /** what of an item is its text */
  part?: string
  /** the text is without variables */
  plain?: boolean
  /** characters of a label */
  max?: number
  /** whether the face shows the item at this place */
  isShown?: (place: number) => boolean
  /** whether an item without its text may go; all may unless told */
  isRemovable?: (item: Item) => boolean
  create: (id: string) => Item
  /** the change of the data that puts another list in the place of this one; of a list in a list */
  write?: (list: readonly Item[]) => Readonly<Record<string, Json>>
}

/** The labels of a list of items, for `BlockFace.texts`: Enter adds one, Backspace takes an empty one away. */
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
