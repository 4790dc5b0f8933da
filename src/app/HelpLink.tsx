import { CircleQuestionMark } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Tooltip } from '../ui/Tooltip'
import styles from './HelpLink.module.css'
import { helpUrl } from './helpPages'

/**
 * Leads to the documentation's page about the open screen, in a tab of its own: work is not left for it. `words` for a
 * place without a tooltip.
 */
export function HelpLink({ words = false }: { words?: boolean }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const link = (
    <a
      href={helpUrl(pathname)}
      target="_blank"
      rel="noreferrer"
      className={styles.help}
      data-words={words || undefined}
      aria-label={words ? undefined : t('help.screen')}
    >
      <CircleQuestionMark aria-hidden="true" />
      {words && t('help.screen')}
    </a>
  )
  return words ? link : <Tooltip label={t('help.screen')}>{link}</Tooltip>
}
