import { Library } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { sourceKinds } from '../../../server/contracts/sources'
import type { ChatbotPlace } from '../../api/sources'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import styles from './data-sources.module.css'
import { kindIcons } from './kinds'

interface EmptyKnowledgeProps {
  place: ChatbotPlace
  mayCreate: boolean
  /** null: no permission, or no other chatbot */
  onLink: (() => void) | null
}

/** What can be added, with a link for each kind. */
export function EmptyKnowledge({ place: { pgid, cgid }, mayCreate, onLink }: EmptyKnowledgeProps) {
  const { t } = useTranslation('sources')
  return (
    <div>
      <EmptyState icon={<Library />} title={t('empty.title')} message={t('empty.message')} />
      {mayCreate && (
        <ul className={styles.ways}>
          {sourceKinds.map((kind) => {
            const Icon = kindIcons[kind]
            return (
              <li key={kind}>
                <Link
                  className={styles.way}
                  to={`/projects/${pgid}/chatbots/${cgid}/data-sources/new?kind=${kind}`}
                  aria-describedby={`way-${kind}`}
                >
                  <Icon size={16} aria-hidden />
                  <strong>{t(`kinds.${kind}`)}</strong>
                </Link>
                <p id={`way-${kind}`}>{t(`empty.${kind}`)}</p>
              </li>
            )
          })}
        </ul>
      )}
      {onLink && (
        <p className={styles.another}>
          <Button design="ghost" icon={<Library />} onClick={onLink}>
            {t('empty.another')}
          </Button>
        </p>
      )}
    </div>
  )
}
