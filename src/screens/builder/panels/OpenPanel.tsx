import { useTranslation } from 'react-i18next'
import { useBuilder } from '../builderContext'
import { SidePanel } from '../SidePanel'
import { panels } from './panelTable'

/** The open panel. @param behind whether the settings or the preview are in front, if there is room for one */
export function OpenPanel({ behind }: { behind: boolean }) {
  const { t } = useTranslation('builder')
  const { panel, openPanel } = useBuilder()
  const open = panels.find(({ id }) => id === panel)
  if (!open) return null
  return (
    <SidePanel key={open.id} label={t(`panels.${open.id}`)} behind={behind}>
      <open.Component onClose={() => openPanel(null)} />
    </SidePanel>
  )
}
