import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../ui/KeyHint'
import { MenuEntry } from '../ui/Menu'
import { type Action, actionSections, isOffered, useActionList } from './actionRegistry'
import { useCanvasState, useEditor } from './context'
import { keyCaps } from './keyboard/chord'

/** The actions available at the pointer, with their keys. */
export function ContextMenu() {
  const menu = useCanvasState((state) => state.menu)
  return menu && <OpenMenu at={menu.at} />
}

function OpenMenu({ at }: { at: { x: number; y: number } }) {
  const { store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const { groups, blocks, edges } = useCanvasState((state) => state.selection)
  const over = groups.size + blocks.size + edges.size > 0 ? 'selection' : 'canvas'
  const entries = dangerLast(useActionList().filter((action) => action.menu === over && isOffered(action, readOnly)))
  return (
    <Menu
      opened
      onClose={() => store.setState({ menu: null })}
      position="bottom-start"
      offset={0}
      width={240}
      shadow="md"
    >
      <Menu.Target>
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          style={{ position: 'fixed', left: at.x, top: at.y, width: 1, height: 1, opacity: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu.label')}>
        {entries.map((action, i) => (
          <Entry key={action.id} action={action} divided={divides(entries[i - 1], action)} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Within each section: actions of other parts of the builder come before destructive ones. */
const dangerLast = (actions: readonly Action[]): Action[] =>
  actionSections.flatMap((section) => {
    const own = actions.filter((action) => action.section === section)
    return [...own.filter(({ danger }) => !danger), ...own.filter(({ danger }) => danger)]
  })

/** Separates sections, and destructive actions. */
const divides = (before: Action | undefined, action: Action): boolean =>
  before !== undefined && (before.section !== action.section || Boolean(action.danger && !before.danger))

function Entry({ action, divided }: { action: Action; divided: boolean }) {
  const { t } = useTranslation('builder')
  const { icon: Icon, keys } = action
  return (
    <>
      {divided && <Menu.Divider />}
      <MenuEntry
        danger={action.danger}
        leftSection={Icon && <Icon size={15} aria-hidden />}
        rightSection={keys?.[0] && <KeyHint keys={keyCaps(keys[0])} />}
        onClick={action.run}
      >
        {t(`actions.${action.id}`)}
      </MenuEntry>
    </>
  )
}
