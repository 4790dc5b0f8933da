import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readShare, saveShare } from '../../../server/contracts/web'
import { type ShareSettings, shareSchema } from '../../../server/contracts/web/settings'
import { useCan } from '../../api/account'
import { chatbotQuery } from '../../api/chatbots'
import { lookQuery } from '../../api/look'
import { useShareLink } from '../../api/shareLink'
import type { ChatbotPlace } from '../../api/webSettings'
import { ImageField } from '../../chatbots/ImageField'
import { type SettingsForm, WebSettingsScreen } from '../../chatbots/WebSettingsScreen'
import { QrCard } from '../../sharing/QrCard'
import { Card } from '../../ui/Card'
import { ImageRefused, MOST_MEGAPIXELS } from '../../ui/openImage'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import { PasswordCard } from './PasswordCard'
import { LEAST, previewImage } from './previewImage'
import { SharedPageCard } from './SharedPageCard'
import styles from './share.module.css'

const routes = { read: readShare, save: saveShare }

/** /projects/:pgid/chatbots/:cgid/integrations/share: the shared page, who may open it, and how other sites show it. */
export function ShareScreen() {
  const { t } = useTranslation('share')
  return (
    <WebSettingsScreen
      title={t('title')}
      description={t('description')}
      routes={routes}
      schema={shareSchema}
      feature="share.update"
      before={(place) => <Link {...place} />}
      after={(place, readOnly) => <PasswordCard place={place} readOnly={readOnly} />}
    >
      {(form) => (
        <>
          <PreviewCard {...form} />
          <AccessCard {...form} />
        </>
      )}
    </WebSettingsScreen>
  )
}

function Link({ pgid, cgid }: ChatbotPlace) {
  const { data: chatbot } = useQuery(chatbotQuery(pgid, cgid))
  const mayUpdate = useCan('chatbots.update')
  if (!chatbot) return null
  return (
    <>
      <SharedPageCard key={chatbot.slug} pgid={pgid} chatbot={chatbot} readOnly={!mayUpdate} />
      <QrCard chatbot={chatbot} />
    </>
  )
}

/** What other sites and search engines show of the page, with how that looks. */
function PreviewCard({ draft, change, wrong, readOnly, place }: SettingsForm<ShareSettings>) {
  const { t } = useTranslation('share')
  const { data: chatbot } = useQuery(chatbotQuery(place.pgid, place.cgid))
  const { data: look } = useQuery(lookQuery(place.pgid, place.cgid))
  const name = look?.published?.brand.name || chatbot?.name
  const link = useShareLink({ slug: chatbot?.slug ?? '', domain: chatbot?.domain ?? null })
  const inWords = (problem: unknown) =>
    problem instanceof ImageRefused
      ? new Error(t(`preview.${problem.reason}`, { ...problem.size, least: LEAST, most: MOST_MEGAPIXELS }))
      : problem
  return (
    <Card title={t('preview.title')} description={t('preview.description')}>
      <div className={styles.preview}>
        <div className={styles.fields}>
          <TextField
            label={t('preview.heading')}
            placeholder={name ?? ''}
            value={draft.title}
            maxLength={100}
            readOnly={readOnly}
            error={wrong.title}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <TextArea
            label={t('preview.words')}
            value={draft.description}
            maxLength={200}
            readOnly={readOnly}
            error={wrong.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <ImageField
            pgid={place.pgid}
            label={t('preview.image')}
            about={t('preview.imageHint')}
            value={draft.image}
            readOnly={readOnly}
            error={wrong.image}
            prepare={(file) => previewImage(file).catch((problem: unknown) => Promise.reject(inWords(problem)))}
            onChange={(image) => change({ image })}
          />
          <Switch
            label={t('preview.robots')}
            description={t('preview.robotsHint')}
            checked={draft.robots}
            disabled={readOnly}
            onChange={(event) => change({ robots: event.currentTarget.checked })}
          />
        </div>
        <figure className={styles.card} aria-label={t('preview.card')}>
          {/^(https?:\/\/|\/files\/)\S/.test(draft.image) && <img src={draft.image} alt="" />}
          <figcaption>
            <span className={styles.host}>{new URL(link).host}</span>
            <strong>{draft.title || name}</strong>
            {draft.description && <span>{draft.description}</span>}
          </figcaption>
        </figure>
      </div>
    </Card>
  )
}

function AccessCard({ draft, change, readOnly }: SettingsForm<ShareSettings>) {
  const { t } = useTranslation('share')
  return (
    <Card
      title={t('members.title')}
      description={t('members.description')}
      actions={
        <Switch
          aria-label={t('members.label')}
          checked={draft.auth_enabled}
          disabled={readOnly}
          onChange={(event) => change({ auth_enabled: event.currentTarget.checked })}
        />
      }
    />
  )
}
