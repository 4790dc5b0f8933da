import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAccount, useCan } from '../api/account'
import { hideAnnouncement } from '../api/settings'
import { UpgradeButton } from '../chatbots/UpgradeButton'
import { Button } from '../ui/Button'
import styles from './OverLimitBanner.module.css'

/** Tells who may change a chatbot of version 1 that it can become an agent, until it is one or they put it away. */
export function UpgradeAnnouncement() {
  const { t } = useTranslation()
  const { user, v2_upgrade_enabled: possible } = useAccount()
  const may = useCan('chatbots.update')
  const { chatbot, project, settings } = user
  if (!possible || !may || settings.hide_v2_upgrade_announcement) return null
  if (!project || chatbot?.version !== 1 || chatbot.over_limit) return null
  return (
    <section className={styles.banner} data-over-limit data-news aria-label={t('version2.label')}>
      <Sparkles size={15} aria-hidden />
      <p>{t('version2.text', { name: chatbot.name })}</p>
      <UpgradeButton pgid={project.gid} chatbot={chatbot} size="s" design="primary" />
      <Button size="s" design="ghost" onClick={() => void hideAnnouncement('hide_v2_upgrade_announcement')}>
        {t('version2.later')}
      </Button>
    </section>
  )
}
