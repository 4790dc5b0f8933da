import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mentionParts, readMentions } from '../../engine/values/mentions'
import type { Comment, CommentPerson } from '../../server/contracts/comments'
import { mentionableQuery, useCommentChanges } from '../api/comments'
import { failureText } from '../api/failure'
import { formatMoment, formatRecent } from '../i18n/format'
import { Avatar } from '../ui/Avatar'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { IconButton } from '../ui/IconButton'
import { Menu, MenuEntry } from '../ui/Menu'
import { Composer } from './Composer'
import { mentionLabels } from './mentionLabels'
import styles from './ThreadCard.module.css'
import { useComments } from './useComments'

interface CommentItemProps {
  comment: Comment
  mentioned: readonly CommentPerson[]
  /** whether others' comments may be deleted, too */
  moderates: boolean
  /** called when its thread was deleted with it */
  onGone: () => void
}

/** A comment of a thread; one's own can be edited. */
export function CommentItem({ comment, mentioned, moderates, onGone }: CommentItemProps) {
  const { t } = useTranslation('comments')
  const { flow, mayWrite } = useComments()
  const { edit, remove } = useCommentChanges(flow)
  const [draft, setDraft] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const { by, own } = comment
  const nameOf = (gid: string) => mentioned.find((person) => person.gid === gid)?.name ?? t('former')
  // people with the same name are distinguished while writing
  const labels = mentionLabels(useQuery({ ...mentionableQuery(flow), enabled: mayWrite && own }).data ?? [])
  const labelOf = (gid: string) => labels.find((person) => person.gid === gid)?.name ?? nameOf(gid)
  const mayDelete = mayWrite && !comment.deleted && (own || moderates)
  return (
    <li className={styles.comment}>
      <Avatar name={by.name} color={by.color} size={24} />
      <div className={styles.said}>
        <p className={styles.by}>
          <strong>{by.name}</strong>
          {by.former && <span className={styles.quiet}>{t('formerMember')}</span>}
          <time className={styles.quiet} dateTime={comment.at} title={formatMoment(comment.at)}>
            {formatRecent(comment.at)}
          </time>
          {comment.edited && <span className={styles.quiet}>{t('edited')}</span>}
        </p>
        {comment.deleted ? (
          <p className={styles.deleted}>{t('deleted')}</p>
        ) : draft === null ? (
          <Words body={comment.body} nameOf={nameOf} />
        ) : (
          <Composer
            label={t('edit.label')}
            placeholder=""
            text={draft}
            onText={setDraft}
            known={mentioned.flatMap(({ gid, name }) => (gid ? [{ gid, name }] : []))}
            action={t('edit.save')}
            onCancel={() => setDraft(null)}
            onSend={(body) => edit.mutateAsync({ gid: comment.gid, body }).then(() => setDraft(null))}
          />
        )}
      </div>
      {mayDelete && draft === null && (
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton
              size="s"
              label={t('edit.more', { name: by.name })}
              icon={<Ellipsis size={14} />}
              tooltip={false}
            />
          </Menu.Target>
          <Menu.Dropdown>
            {own && (
              <MenuEntry
                leftSection={<Pencil size={14} />}
                onClick={() => setDraft(readMentions(comment.body, labelOf))}
              >
                {t('edit.edit')}
              </MenuEntry>
            )}
            <MenuEntry danger leftSection={<Trash2 size={14} />} onClick={() => setAsking(true)}>
              {t('edit.delete')}
            </MenuEntry>
          </Menu.Dropdown>
        </Menu>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('edit.deleteTitle')}
        message={t('edit.deleteMessage')}
        confirm={t('edit.delete')}
        danger
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, t('edit.deleteFailed')) : undefined}
        onConfirm={() =>
          remove.mutate(comment.gid, {
            onSuccess: ({ thread_gone }) => {
              setAsking(false)
              if (thread_gone) onGone()
            },
          })
        }
        onClose={() => setAsking(false)}
      />
    </li>
  )
}

/** The text, with mentions highlighted and addresses as links. */
function Words({ body, nameOf }: { body: string; nameOf: (gid: string) => string }) {
  return (
    <p className={styles.words}>
      {mentionParts(body).map((part, index) =>
        'gid' in part ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their order
          <span key={index} className={styles.mention}>
            @{nameOf(part.gid)}
          </span>
        ) : (
          part.text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((text, at) =>
            at % 2 === 0 ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their order
              <a key={`${index} ${at}`} href={text} target="_blank" rel="noreferrer">
                {text}
              </a>
            ),
          )
        ),
      )}
    </p>
  )
}
