import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomField } from '../../../../server/contracts/customFields'
import { contactFieldsQuery, useContactFieldChanges } from '../../../api/contactFields'
import { failureText } from '../../../api/failure'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { ErrorCard } from '../../../ui/ErrorCard'
import { IconButton } from '../../../ui/IconButton'
import { LoadingState } from '../../../ui/LoadingState'
import { Modal, ModalText } from '../../../ui/Modal'
import { FieldForm } from './FieldForm'
import styles from './fields.module.css'

const fresh = (name: string): CustomField => ({ gid: '', name, type: 'text', choices: [], in_table: true })

/** The project's own fields of contacts: described, changed, taken away. */
export function FieldsDialog({ pgid, onClose }: { pgid: string; onClose: () => void }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(contactFieldsQuery(pgid))
  const { remove } = useContactFieldChanges(pgid)
  const [edited, setEdited] = useState<CustomField | null>(null)
  const [deleting, setDeleting] = useState<CustomField | null>(null)
  return (
    <Modal opened onClose={onClose} size="lg" title={t('own.title')}>
      <ModalText>{t('own.description')}</ModalText>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} height={40} />
      ) : edited ? (
        <FieldForm key={edited.gid + edited.name} pgid={pgid} field={edited} onClose={() => setEdited(null)} />
      ) : (
        <>
          {data.fields.length > 0 && (
            <ul className={styles.list}>
              {data.fields.map((field) => (
                <li key={field.gid}>
                  <span className={styles.name}>{field.name}</span>
                  <Badge>{t(`own.types.${field.type}`)}</Badge>
                  {field.in_table && <Badge tone="accent">{t('own.inTable')}</Badge>}
                  <span className={styles.buttons}>
                    <IconButton
                      size="s"
                      label={t('own.edit', { name: field.name })}
                      icon={<Pencil size={14} />}
                      onClick={() => setEdited(field)}
                    />
                    <IconButton
                      size="s"
                      label={t('own.delete', { name: field.name })}
                      icon={<Trash2 size={14} />}
                      onClick={() => setDeleting(field)}
                    />
                  </span>
                </li>
              ))}
            </ul>
          )}
          <div className={styles.add}>
            <Button icon={<Plus />} onClick={() => setEdited(fresh(''))}>
              {t('own.add')}
            </Button>
          </div>
          {data.others.length > 0 && (
            <section className={styles.others}>
              <h3>{t('own.others')}</h3>
              <ul>
                {data.others.map((name) => (
                  <li key={name}>
                    <Button size="s" onClick={() => setEdited(fresh(name))} aria-label={t('own.describe', { name })}>
                      {name}
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
      {deleting && (
        <ConfirmDialog
          opened
          danger
          title={t('own.deleteTitle', { name: deleting.name })}
          message={t('own.deleteMessage')}
          confirm={common('actions.delete')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onClose={() => setDeleting(null)}
          onConfirm={() => remove.mutate(deleting.gid, { onSuccess: () => setDeleting(null) })}
        />
      )}
    </Modal>
  )
}
