import { Circle, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { refreshAccount, useAccount, useCan } from '../../api/account'
import { useFirstSteps } from '../../api/firstSteps'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import styles from './firstSteps.module.css'

/** The steps of SPEC.md 4, in the order in which they are taken, each with the screen on which it is done. */
const ITEMS = [
  { key: 'kb', to: 'data-sources/new' },
  { key: 'ai_settings', to: 'settings/ai' },
  { key: 'actions', to: 'actions' },
  { key: 'playground', to: 'playground' },
  { key: 'web_customization', to: 'editor' },
  { key: 'web_deploy', to: 'integrations/embed' },
] as const

/**
 * What is left to do until a chatbot answers on a site: each item is ticked by doing it. Not shown before there is a
 * chatbot, once all is done, and after it was dismissed: for everybody by who may, else for oneself.
 */
export function Checklist({ pgid }: { pgid: string }) {
  const { t } = useTranslation('firstSteps')
  const { chatbots, settings, onboarding_checklist } = useAccount().user
  const mayDismiss = useCan('onboarding.dismiss')
  const maySee = useCan('onboarding.view')
  const { dismiss, start } = useFirstSteps()
  const { agent } = onboarding_checklist
  const own = chatbots.filter(({ sample }) => !sample)
  const chatbot = own.find(({ gid }) => gid === settings.default_chatbot_id) ?? own[0]
  const done = ITEMS.filter(({ key }) => agent[key].completed).length
  const shown =
    maySee && chatbot !== undefined && !agent.dismissed && !settings.hide_onboarding_checklist && done < ITEMS.length
  // the account was loaded before what was done on other screens
  useEffect(() => {
    if (shown) void refreshAccount()
  }, [shown])
  if (!shown) return null
  return (
    <Card
      title={t('checklist.title')}
      description={t('checklist.progress', { done, count: ITEMS.length, name: chatbot.name })}
      actions={
        <Button
          size="s"
          design="ghost"
          loading={dismiss.isPending || start.isPending}
          onClick={() => (mayDismiss ? dismiss.mutate(pgid) : start.mutate({ hide_onboarding_checklist: true }))}
        >
          {t(mayDismiss ? 'checklist.dismiss' : 'checklist.hide')}
        </Button>
      }
    >
      <ul className={styles.items}>
        {ITEMS.map(({ key, to }) => {
          const { completed } = agent[key]
          const Icon = completed ? CircleCheck : Circle
          return (
            <li key={key}>
              <Link
                className={styles.item}
                data-done={completed || undefined}
                to={`/projects/${pgid}/chatbots/${chatbot.gid}/${to}`}
              >
                <Icon size={16} aria-label={t(completed ? 'checklist.done' : 'checklist.left')} />
                {t(`checklist.items.${key}`)}
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
