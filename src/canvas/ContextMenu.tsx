import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../ui/KeyHint'
import { MenuEntry } from '../ui/Menu'
import { copySelection, deleteSelection, duplicateSelection, paste, selectAll } from './actions'
import { useView } from './adapter'
import { parseClip } from './clip'
import { useCanvasState, useEditor } from './context'

/** What one can do at the pointer, with the keys that do the same. */
export function ContextMenu() {
  const editor = useEditor()
  const { store, readOnly } = editor
  const view = useView()
  const { t } = useTranslation('builder')
  const menu = useCanvasState((state) => state.menu)
  const selection = useCanvasState((state) => state.selection)
  const some = selection.groups.size + selection.blocks.size + selection.edges.size > 0
  const [onlyGroup] = selection.groups.size === 1 && selection.blocks.size === 0 ? selection.groups : []
  if (!menu) return null
  return (
    <Menu
      opened
      onClose={() => store.setState({ menu: null })}
      position="bottom-start"
      offset={0}
      width={220}
      shadow="md"
    >
      <Menu.Target>
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          style={{ position: 'fixed', left: menu.at.x, top: menu.at.y, width: 1, height: 1, opacity: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu.label')}>
        {some ? (
          <>
            {onlyGroup !== undefined && !readOnly && (
              <MenuEntry
                rightSection={<KeyHint keys={['F2']} />}
                onClick={() => store.setState({ editingTitle: onlyGroup })}
              >
                {t('menu.rename')}
              </MenuEntry>
            )}
            <MenuEntry
              rightSection={<KeyHint keys={['Ctrl', 'C']} />}
              onClick={() => {
                const clip = copySelection(editor)
                if (clip) void navigator.clipboard?.writeText(JSON.stringify(clip))
              }}
            >
              {t('menu.copy')}
            </MenuEntry>
            {!readOnly && (
              <>
                <MenuEntry
                  rightSection={<KeyHint keys={['Ctrl', 'D']} />}
                  onClick={() => duplicateSelection(editor, t('canvas.newGroup'))}
                >
                  {t('menu.duplicate')}
                </MenuEntry>
                <Menu.Divider />
                <MenuEntry danger rightSection={<KeyHint keys={['Del']} />} onClick={() => deleteSelection(editor)}>
                  {t('menu.delete')}
                </MenuEntry>
              </>
            )}
          </>
        ) : (
          <>
            {!readOnly && (
              <>
                <MenuEntry onClick={() => store.setState({ picker: { at: menu.at, flow: menu.flow, from: null } })}>
                  {t('menu.addBlock')}
                </MenuEntry>
                <MenuEntry
                  rightSection={<KeyHint keys={['Ctrl', 'V']} />}
                  onClick={async () => {
                    const clip = parseClip((await navigator.clipboard?.readText().catch(() => '')) ?? '')
                    if (clip) paste(editor, clip, t('canvas.newGroup'), menu.flow)
                  }}
                >
                  {t('menu.paste')}
                </MenuEntry>
                <Menu.Divider />
              </>
            )}
            <MenuEntry rightSection={<KeyHint keys={['Ctrl', 'A']} />} onClick={() => selectAll(editor)}>
              {t('menu.selectAll')}
            </MenuEntry>
            <MenuEntry onClick={view.fit}>{t('tools.fit')}</MenuEntry>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
