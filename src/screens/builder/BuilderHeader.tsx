import { ArrowLeft, Download, Ellipsis, FileUp, Languages, LayoutTemplate, Play, Redo2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isOffered, useActionList } from '../../canvas/actionRegistry'
import { useEditor } from '../../canvas/context'
import { keyCaps } from '../../canvas/keyboard/chord'
import { useUndo } from '../../collab/useFlow'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { KeyHint } from '../../ui/KeyHint'
import { Menu, MenuEntry } from '../../ui/Menu'
import { Tooltip } from '../../ui/Tooltip'
import styles from './BuilderHeader.module.css'
import { People } from './people/People'
import { SaveState } from './SaveState'

interface BuilderHeaderProps {
  name: string
  /** what visitors get: nothing, this draft, or an earlier state */
  state: ReactNode
  back: string
  testing: boolean
  onTest: (() => void) | null
  onImport: () => void
  onExport: () => void
  exportLabel: string
  /** the address of the translations screen */
  translations: string
  /** the open flow, and a menu of the others */
  flows: ReactNode
  /** menu entries that open panels, if there is no rail */
  panels: ReactNode
  /** the publish button with its popover */
  publish: ReactNode
  /** shows options for edits that can't be sent; null if there are none */
  onRescue: (() => void) | null
}

export function BuilderHeader(props: BuilderHeaderProps) {
  const {
    name,
    state,
    back,
    testing,
    onTest,
    onImport,
    onExport,
    exportLabel,
    translations,
    flows,
    panels,
    publish,
    onRescue,
  } = props
  const { readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const { canUndo, canRedo, undo, redo } = useUndo()
  const template = useActionList().find(({ id }) => id === 'insertTemplate')
  return (
    <header className={styles.header}>
      <Link to={back} className={styles.back} aria-label={t('header.back')}>
        <ArrowLeft size={16} />
      </Link>
      <h1 className={styles.name} title={name}>
        {name}
      </h1>
      {flows}
      <span className={styles.state}>{state}</span>
      <SaveState onRescue={onRescue} />
      {readOnly && (
        <Tooltip label={t('header.readOnlyHint')}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip shows for the keyboard too */}
          <span tabIndex={0} className={styles.readOnly}>
            <Badge>{t('header.readOnly')}</Badge>
          </span>
        </Tooltip>
      )}
      <span className={styles.space} />
      <People />
      {!readOnly && (
        <span className={styles.undo}>
          <IconButton
            label={t('header.undo')}
            keys={<KeyHint keys={keyCaps('mod+z')} />}
            icon={<Undo2 size={16} />}
            disabled={!canUndo}
            onClick={undo}
          />
          <IconButton
            label={t('header.redo')}
            keys={<KeyHint keys={keyCaps('mod+shift+z')} />}
            icon={<Redo2 size={16} />}
            disabled={!canRedo}
            onClick={redo}
          />
        </span>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton data-tour="more" label={t('header.more')} icon={<Ellipsis size={16} />} tooltip={false} />
        </Menu.Target>
        <Menu.Dropdown>
          {panels}
          {!readOnly && (
            <>
              <MenuEntry
                className={styles.inMenu}
                leftSection={<Undo2 size={15} />}
                disabled={!canUndo}
                closeMenuOnClick={false}
                onClick={undo}
              >
                {t('header.undo')}
              </MenuEntry>
              <MenuEntry
                className={styles.inMenu}
                leftSection={<Redo2 size={15} />}
                disabled={!canRedo}
                closeMenuOnClick={false}
                onClick={redo}
              >
                {t('header.redo')}
              </MenuEntry>
              {template && (
                <MenuEntry leftSection={<LayoutTemplate size={15} />} onClick={template.run}>
                  {t('actions.insertTemplate')}
                </MenuEntry>
              )}
              <MenuEntry leftSection={<FileUp size={15} />} onClick={onImport}>
                {t('header.import')}
              </MenuEntry>
            </>
          )}
          <MenuEntry leftSection={<Download size={15} />} onClick={onExport}>
            {exportLabel}
          </MenuEntry>
          <MenuEntry leftSection={<Languages size={15} />} to={translations}>
            {t('actions.translations')}
          </MenuEntry>
          <HelpEntries />
        </Menu.Dropdown>
      </Menu>
      {onTest && (
        <Button
          data-tour="preview"
          className={styles.compact}
          icon={<Play size={14} />}
          aria-pressed={testing}
          onClick={onTest}
        >
          {t('header.test')}
        </Button>
      )}
      {publish}
    </header>
  )
}

/** Opens the palette and the sheet of keys. */
function HelpEntries() {
  const { t } = useTranslation('builder')
  const { readOnly } = useEditor()
  const actions = useActionList().filter((action) => action.section === 'help' && isOffered(action, readOnly))
  return (
    <>
      <Menu.Divider />
      {actions.map(({ id, icon: Icon, keys, run }) => (
        <MenuEntry
          key={id}
          leftSection={Icon && <Icon size={15} />}
          rightSection={keys?.[0] && <KeyHint keys={keyCaps(keys[0])} />}
          onClick={run}
        >
          {t(`actions.${id}`)}
        </MenuEntry>
      ))}
    </>
  )
}
