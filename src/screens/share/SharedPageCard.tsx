import { Copy, ExternalLink } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chatbot, shareSlug } from '../../../server/contracts/chatbots'
import { useChatbotChanges } from '../../api/chatbots'
import { fieldOr } from '../../api/failure'
import { useShareLink } from '../../api/shareLink'
import { fieldErrors } from '../../api/validate'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'
import styles from './SharedPageCard.module.css'

const SLUG_CAP = 64

/** The published chatbot's address, updated while typing, and whether it is public. */
export function SharedPageCard({ pgid, chatbot, readOnly }: { pgid: string; chatbot: Chatbot; readOnly: boolean }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const [slug, setSlug] = useState(chatbot.slug)
  const { update } = useChatbotChanges(pgid)
  const changed = slug !== chatbot.slug
  const wrong = changed ? fieldErrors(shareSlug, slug)[''] : undefined
  const refused = update.error ? fieldOr(update.error, 'slug', common('errors.message')) : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed && !wrong)
      update.mutate({ cgid: chatbot.gid, slug }, { onSuccess: () => notify.success(t('settings.saved')) })
  }
  const type = (text: string) => {
    update.reset()
    setSlug(text.toLowerCase().replace(/\s+/g, '-'))
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('settings.page')}
        description={t('settings.pageDescription')}
        footer={
          !readOnly && (
            <Button
              type="submit"
              design="primary"
              disabled={!changed || wrong !== undefined}
              loading={update.isPending}
            >
              {common('actions.save')}
            </Button>
          )
        }
      >
        <TextField
          label={t('settings.slug')}
          value={slug}
          maxLength={SLUG_CAP}
          readOnly={readOnly}
          error={wrong ?? refused}
          spellCheck={false}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Address chatbot={chatbot} slug={slug} saved={!changed} />
      </Card>
    </form>
  )
}

function Address({ chatbot: { published, domain }, slug, saved }: { chatbot: Chatbot; slug: string; saved: boolean }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const url = useShareLink({ slug, domain })
  const copy = async () => {
    await navigator.clipboard.writeText(url)
    notify.success(common('actions.copied'))
  }
  return (
    <div className={styles.address}>
      <span className={styles.url}>{url}</span>
      {saved && <IconButton size="s" label={t('settings.copyLink')} icon={<Copy />} onClick={copy} />}
      {saved && published && (
        <a className={styles.visit} href={url} target="_blank" rel="noreferrer">
          {t('settings.visit')} <ExternalLink size={13} />
        </a>
      )}
      <span className={styles.state}>
        <Badge dot tone={published ? 'success' : 'neutral'}>
          {published ? t('settings.live', { version: published.version }) : t('settings.notLive')}
        </Badge>
      </span>
    </div>
  )
}
