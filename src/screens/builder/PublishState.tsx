import { useQuery } from '@tanstack/react-query'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FlowError } from '../../../server/contracts/versions'
import { publishCheckQuery } from '../../api/versions'
import { Button } from '../../ui/Button'
import { useBuilder } from './builderContext'
import { ChangeSummary } from './compare/ChangeSummary'
import styles from './PublishButton.module.css'
import { useDraftChanges } from './useDraftChanges'

/** The rest is in the panel of problems. */
const SHOWN = 5

/** What prevents publishing; undefined until loaded. */
export function usePublishCheck(enabled: boolean) {
  const { pgid, chatbot } = useBuilder()
  return useQuery({ ...publishCheckQuery(pgid, chatbot.gid), enabled })
}

/** The errors that prevent publishing, each with a link to its place, and the number of warnings. */
export function PublishProblems({
  check,
  onLeave,
}: {
  check: { errors: FlowError[]; error_count: number; warning_count: number }
  /** called when something else is shown */
  onLeave: () => void
}) {
  const { t } = useTranslation('versions')
  const { showPlace, openFlow, openPanel, panel } = useBuilder()
  const { errors, error_count, warning_count } = check
  const showProblems = () => {
    onLeave()
    if (panel !== 'problems') openPanel('problems')
  }
  const go = ({ flow, group_id, block_id }: FlowError) => {
    onLeave()
    if (group_id === null) return flow.gid === null ? showProblems() : openFlow(flow.gid)
    showPlace({ flowId: flow.gid, groupId: group_id, blockId: block_id ?? undefined })
  }
  if (error_count === 0) {
    if (warning_count === 0) return null
    return (
      <p className={styles.tests} role="status">
        <span className={styles.withIcon}>
          <TriangleAlert size={14} aria-hidden /> {t('publish.warnings', { count: warning_count })}
        </span>
        <Button size="s" onClick={showProblems}>
          {t('publish.openProblems')}
        </Button>
      </p>
    )
  }
  return (
    <section className={styles.problems} aria-label={t('publish.errors', { count: error_count })}>
      <p className={styles.problemsTitle} role="status">
        <CircleAlert size={14} aria-hidden /> {t('publish.errors', { count: error_count })}
      </p>
      <ul>
        {errors.slice(0, SHOWN).map((error, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal in all but their order
          <li key={at}>
            <button type="button" onClick={() => go(error)}>
              {error.text}
              {error.group && <small>{error.group}</small>}
            </button>
          </li>
        ))}
      </ul>
      <Button size="s" onClick={showProblems}>
        {error_count > SHOWN ? t('publish.moreErrors', { count: error_count - SHOWN }) : t('publish.openProblems')}
      </Button>
    </section>
  )
}

/** The changes since the published version. */
export function PublishChanges({ enabled, onLeave }: { enabled: boolean; onLeave: () => void }) {
  const { t } = useTranslation('versions')
  const { chatbot, compare } = useBuilder()
  const published = chatbot.published?.version ?? null
  const changes = useDraftChanges(published, enabled)
  if (published === null || !changes) return null
  return (
    <p className={styles.changes} role="status">
      <ChangeSummary changes={changes} />
      {changes.any && (
        <Button
          size="s"
          onClick={() => {
            onLeave()
            compare({ before: published, after: 'draft' })
          }}
        >
          {t('seeChanges')}
        </Button>
      )}
    </p>
  )
}
