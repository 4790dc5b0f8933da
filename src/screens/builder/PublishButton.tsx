import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy, ExternalLink, Rocket } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../../server/api/chatbots/contract'
import { publishFlow, unpublishFlow } from '../../../server/api/flows/contract'
import { chatbotsQuery } from '../../api/chatbots'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { runAllTests } from '../../api/tests'
import { useFlowStatus } from '../../collab/useFlow'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { Popover } from '../../ui/Popover'
import header from './BuilderHeader.module.css'
import styles from './PublishButton.module.css'

interface PublishButtonProps {
  pgid: string
  chatbot: Chatbot
  /** opens the panel of tests */
  onShowTests: () => void
}

/** Publishes the draft and says what is public: the version, since when, and the link. */
export function PublishButton({ pgid, chatbot, onShowTests }: PublishButtonProps) {
  const { t, i18n } = useTranslation('builder')
  const [opened, setOpened] = useState(false)
  const [asking, setAsking] = useState(false)
  const saved = useFlowStatus() === 'saved'
  const cache = useQueryClient()
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  const refresh = () => cache.invalidateQueries({ queryKey: chatbotsQuery(pgid).queryKey })
  const publish = useMutation({
    mutationFn: () => callRoute(publishFlow, { params }),
    onSuccess: ({ version }) => {
      notify.success(t('publish.done', { version: version.number }))
      return refresh()
    },
  })
  const unpublish = useMutation({
    mutationFn: () => callRoute(unpublishFlow, { params }),
    onSuccess: () => {
      setAsking(false)
      publish.reset()
      return refresh()
    },
  })
  /** a warning alone: it neither holds up the publishing nor matters when it can't be had */
  const { data: run } = useQuery({
    queryKey: ['testRun', pgid, chatbot.gid],
    queryFn: ({ signal }) => runAllTests(pgid, chatbot.gid, signal),
    enabled: opened && saved,
    gcTime: 0,
    retry: false,
  })
  const changed = run?.results.filter(({ difference }) => difference).length ?? 0
  const { published } = chatbot
  const link = new URL(`/c/${chatbot.slug}`, location.origin).href
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} shadow="lg" trapFocus returnFocus>
        <Popover.Target>
          <Button
            className={header.compact}
            design="primary"
            icon={<Rocket size={14} />}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {t('header.publish')}
          </Button>
        </Popover.Target>
        {/* takes the focus where no button in it can, so that Escape closes it */}
        <Popover.Dropdown
          aria-label={t('publish.title')}
          className={styles.card}
          tabIndex={-1}
          data-autofocus={!saved || undefined}
        >
          <h2>{t('publish.title')}</h2>
          {published ? (
            <>
              <p>
                {t('publish.published', {
                  version: published.version,
                  by: published.by,
                  when: new Date(published.at).toLocaleString(i18n.language, {
                    dateStyle: 'medium',
                    timeStyle: 'short',
                  }),
                })}
              </p>
              <ShareLink link={link} />
              <p>{t('publish.changes')}</p>
            </>
          ) : (
            <p>{t('publish.never')}</p>
          )}
          {!saved && <p role="status">{t('publish.unsaved')}</p>}
          {changed > 0 && (
            <p className={styles.tests} role="status">
              {t('publish.tests', { count: changed })}
              <Button
                size="s"
                onClick={() => {
                  setOpened(false)
                  onShowTests()
                }}
              >
                {t('publish.showTests')}
              </Button>
            </p>
          )}
          {publish.error && (
            <p className={styles.error} role="alert">
              {failureText(publish.error, t('publish.failed'))}
            </p>
          )}
          <div className={styles.actions}>
            {published && (
              <Button design="ghost" onClick={() => setAsking(true)}>
                {t('publish.unpublish')}
              </Button>
            )}
            <Button
              design="primary"
              loading={publish.isPending}
              disabled={!saved}
              onClick={() => publish.mutate()}
              data-autofocus
            >
              {t(published ? 'publish.again' : 'publish.now')}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('publish.unpublish')}
        message={t('publish.unpublishQuestion')}
        confirm={t('publish.unpublishConfirm')}
        loading={unpublish.isPending}
        error={unpublish.error ? failureText(unpublish.error, t('publish.failed')) : undefined}
        onConfirm={() => unpublish.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function ShareLink({ link }: { link: string }) {
  const { t } = useTranslation('builder')
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    // a page that is not served over https has no clipboard: the link is then selected to be copied by hand
    if (navigator.clipboard) await navigator.clipboard.writeText(link)
    else field.current?.focus()
    setCopied(navigator.clipboard !== undefined)
  }
  return (
    <div className={styles.link}>
      <input
        ref={field}
        readOnly
        value={link}
        aria-label={t('publish.link')}
        onFocus={(event) => event.currentTarget.select()}
      />
      <IconButton
        size="s"
        label={t(copied ? 'publish.copied' : 'publish.copy')}
        icon={copied ? <Check size={14} /> : <Copy size={14} />}
        onClick={() => void copy()}
      />
      <a href={link} target="_blank" rel="noreferrer" aria-label={t('publish.open')} className={styles.open}>
        <ExternalLink size={14} />
      </a>
    </div>
  )
}
