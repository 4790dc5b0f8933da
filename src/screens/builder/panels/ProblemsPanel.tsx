import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Diagnostic } from '../../../../engine/check/diagnostic'
import type { Severity } from '../../../../engine/check/texts'
import { useView } from '../../../canvas/adapter'
import { nothingSelected } from '../../../canvas/canvasStore'
import { useEditor, useProjection } from '../../../canvas/context'
import { Button } from '../../../ui/Button'
import { EmptyState } from '../../../ui/EmptyState'
import { useBuilder } from '../builderContext'
import { MendButton } from '../MendButton'
import { useProblemText } from '../problemWords'
import type { Problems } from '../useProblems'
import { PanelHeader } from './PanelHeader'
import styles from './ProblemsPanel.module.css'

const severities: readonly Severity[] = ['error', 'warning', 'info']
const icons = { error: CircleAlert, warning: TriangleAlert, info: Info }
/** The most problems of one severity shown at first. */
const SHOWN = 100

/** The checker's findings in the open flow, by severity: a click shows the place, a button fixes it. */
export function ProblemsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('problems')
  const { problems } = useBuilder()
  const { diagnostics } = problems
  return (
    <>
      <PanelHeader title={t('panel.title')} close={t('panel.close')} onClose={onClose} />
      <div className={styles.body}>
        {diagnostics.length === 0 && (
          <EmptyState icon={<CircleCheck size={20} />} title={t('panel.none')} message={t('panel.noneHint')} />
        )}
        {severities.map((severity) => (
          <Section key={severity} severity={severity} problems={problems} />
        ))}
      </div>
    </>
  )
}

function Section({ severity, problems }: { severity: Severity; problems: Problems }) {
  const { t } = useTranslation('problems')
  const [all, setAll] = useState(false)
  const ofThis = problems.diagnostics.filter((diagnostic) => diagnostic.severity === severity)
  const textOf = useProblemText(problems)
  if (ofThis.length === 0) return null
  const Icon = icons[severity]
  return (
    <section className={styles.section} aria-label={t(`severity.${severity}`)}>
      <h3 className={styles.title} data-severity={severity}>
        <Icon size={14} aria-hidden />
        {t(`severity.${severity}`)}
        <span className={styles.count}>{ofThis.length}</span>
      </h3>
      <ul className={styles.list}>
        {ofThis.slice(0, all ? undefined : SHOWN).map((diagnostic, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may be equal in all but their order
          <Row key={at} diagnostic={diagnostic} text={textOf(diagnostic)} />
        ))}
      </ul>
      {!all && ofThis.length > SHOWN && (
        <Button size="s" design="ghost" onClick={() => setAll(true)}>
          {t('panel.more', { count: ofThis.length - SHOWN })}
        </Button>
      )}
    </section>
  )
}

function Row({ diagnostic, text }: { diagnostic: Diagnostic; text: string }) {
  const { t } = useTranslation('problems')
  const { readOnly, store } = useEditor()
  const view = useView()
  const { place, remedy } = diagnostic
  const { groupId } = place
  const group = useProjection(({ groups }) => (groupId === undefined ? undefined : groups.get(groupId)))
  const go = () => {
    if (!group) return
    const blockId = place.blockId ?? group.blockIds[0]
    const selected = place.blockId ? { blocks: new Set([place.blockId]) } : { groups: new Set([group.id]) }
    store.setState({ selection: { ...nothingSelected, ...selected } })
    // after the settings panel has opened
    requestAnimationFrame(() => requestAnimationFrame(() => view.show(group.id, blockId ?? '')))
  }
  // just deleted: the next check will notice
  if (groupId !== undefined && !group) return null
  return (
    <li className={styles.row}>
      <button type="button" className={styles.go} disabled={!group} onClick={go}>
        <span className={styles.text}>{text}</span>
        {group && place.blockId && <span className={styles.place}>{group.title.trim() || t('panel.untitled')}</span>}
      </button>
      {remedy && !readOnly && <MendButton remedy={remedy} className={styles.remedy} />}
    </li>
  )
}
