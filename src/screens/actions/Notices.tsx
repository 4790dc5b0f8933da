import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ActionList } from '../../../server/contracts/actions'
import type { ChatbotPlace } from '../../api/sources'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Button } from '../../ui/Button'
import styles from './actions.module.css'

/** Why actions would not be used: the plan has none, or the model can't. */
export function Notices({ place: { pgid, cgid }, list: { model, plan } }: { place: ChatbotPlace; list: ActionList }) {
  const { t } = useTranslation('actions')
  return (
    <>
      {!plan.actions && <UpgradeBanner />}
      {model.works !== 'yes' && (
        <div className={styles.notice} role="note">
          <TriangleAlert size={16} aria-hidden />
          <p>{t(`model.${model.works}`, { name: model.name })}</p>
          <Button size="s" to={`/projects/${pgid}/chatbots/${cgid}/settings/ai`}>
            {t('model.change')}
          </Button>
        </div>
      )}
    </>
  )
}
