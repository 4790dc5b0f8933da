import { Languages } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Action, useProvideActions } from '../../../canvas/actionRegistry'
import { firstField } from '../../../canvas/keyboard/regions'
import { focusWhenThere } from '../../../canvas/keyboard/stopElements'
import { IconButton } from '../../../ui/IconButton'
import { MenuEntry } from '../../../ui/Menu'
import { useBuilder } from '../builderContext'
import { CommentsButton } from './CommentsButton'
import styles from './PanelRail.module.css'
import { ProblemsButton } from './ProblemsButton'
import { panels } from './panelTable'

/** A button per panel, at the right edge. On a small screen they are in the header's menu, see PanelEntries. */
export function PanelRail() {
  const { t } = useTranslation('builder')
  const { panel, openPanel, problems } = useBuilder()
  const openTranslations = useOpenTranslations()
  usePanelActions(openTranslations)
  return (
    <nav className={styles.rail} aria-label={t('panels.label')}>
      {panels.map(({ id, icon: Icon }) => {
        const press = {
          active: panel === id,
          onClick: () => openPanel(id),
          caption: t(`rail.${id}`),
        }
        if (id === 'problems') return <ProblemsButton key={id} diagnostics={problems.diagnostics} {...press} />
        if (id === 'comments') return <CommentsButton key={id} {...press} />
        return <IconButton key={id} label={t(`panels.${id}`)} icon={<Icon size={17} />} {...press} />
      })}
      <IconButton
        label={t('actions.translations')}
        icon={<Languages size={17} />}
        caption={t('rail.translations')}
        onClick={openTranslations}
      />
    </nav>
  )
}

/** The same as menu entries. */
export function PanelEntries({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('builder')
  const { openPanel } = useBuilder()
  return panels.map(({ id, icon: Icon }) => (
    <MenuEntry key={id} className={className} leftSection={<Icon size={15} />} onClick={() => openPanel(id)}>
      {t(`panels.${id}`)}
    </MenuEntry>
  ))
}

/** Keys and palette show a panel, never close it, and move the focus there. */
function usePanelActions(openTranslations: () => void): void {
  const { t } = useTranslation('builder')
  const { showPanel } = useBuilder()
  useProvideActions(
    useMemo(
      () => [
        { id: 'translations', section: 'panels', icon: Languages, writes: false, run: openTranslations },
        ...panels.map(
          ({ id, icon, keys }): Action => ({
            id: `panel-${id}`,
            ...(keys && { keys }),
            section: 'panels',
            icon,
            writes: false,
            run: () => {
              showPanel(id)
              focusWhenThere(() => fieldOf(t(`panels.${id}`)))
            },
          }),
        ),
      ],
      [showPanel, openTranslations, t],
    ),
  )
}

/** Leads to the screen of all texts in the chatbot's languages; back leads here. */
function useOpenTranslations(): () => void {
  const navigate = useNavigate()
  const { pgid, chatbot } = useBuilder()
  return useCallback(
    () => void navigate(`/projects/${pgid}/chatbots/${chatbot.gid}/builder/translations`),
    [navigate, pgid, chatbot.gid],
  )
}

const fieldOf = (label: string): HTMLElement | null => {
  const panel = document.querySelector(`aside[aria-label="${CSS.escape(label)}"]`)
  return panel && firstField(panel)
}
