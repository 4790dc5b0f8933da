import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { refreshAccount } from '../api/account'
import { useChatbotChanges } from '../api/chatbots'
import { failureText } from '../api/failure'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { notify } from '../ui/notify'

/** Makes a chatbot of version 1 an agent, after a question, and opens its builder. */
export function UpgradeButton({
  pgid,
  chatbot: { gid: cgid, name },
  ...look
}: {
  pgid: string
  chatbot: { gid: string; name: string }
  size?: 's'
  design?: 'primary'
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const { upgrade } = useChatbotChanges(pgid)
  const confirm = () =>
    upgrade.mutate(cgid, {
      async onSuccess() {
        // the map of features has the builder then
        await refreshAccount()
        setAsking(false)
        notify.success(t('version2.done', { name }))
        void navigate(`/projects/${pgid}/chatbots/${cgid}/builder`)
      },
    })
  return (
    <>
      <Button {...look} onClick={() => setAsking(true)}>
        {t('version2.upgrade')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('version2.question', { name })}
        message={t('version2.means')}
        confirm={t('version2.upgrade')}
        loading={upgrade.isPending}
        error={upgrade.error ? failureText(upgrade.error, t('errors.message')) : undefined}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
