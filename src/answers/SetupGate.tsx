import { ListChecks } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Setup } from '../../server/contracts/chatbots'
import { useCan } from '../api/account'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/EmptyState'
import styles from './setupGate.module.css'

/**
 * Shown instead of a chat while the chatbot's set-up is incomplete: SPEC.md 8's sentences, with links to what is
 * missing.
 */
export function SetupGate({ pgid, cgid, setup }: { pgid: string; cgid: string; setup: Setup }) {
  const { t } = useTranslation('answers')
  const home = `/projects/${pgid}/chatbots/${cgid}`
  const ways = {
    sources: { to: `${home}/data-sources`, allowed: useCan('knowledge_base.view') },
    details: { to: `${home}/settings/general`, allowed: useCan('settings.view') },
  }
  const missing = (['sources', 'details'] as const).filter((part) => !setup[part])
  const [part] = missing
  if (!part) return null
  if (missing.length === 1) {
    return (
      <EmptyState
        icon={<ListChecks />}
        title={t('gate.title')}
        message={t(`gate.${part}.alone`)}
        action={
          ways[part].allowed && (
            <Button design="primary" to={ways[part].to}>
              {t(`gate.${part}.open`)}
            </Button>
          )
        }
      />
    )
  }
  return (
    <div className={styles.gate}>
      <EmptyState icon={<ListChecks />} title={t('gate.both')} />
      <ol className={styles.parts}>
        {missing.map((each) => (
          <li key={each}>
            {ways[each].allowed ? <Link to={ways[each].to}>{t(`gate.${each}.todo`)}</Link> : t(`gate.${each}.todo`)}
          </li>
        ))}
      </ol>
    </div>
  )
}
