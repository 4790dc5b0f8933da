import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Member } from '../../../server/contracts/members'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { type RoleNumber, useMemberChanges } from '../../api/members'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { fullName } from './fullName'
import styles from './members.module.css'
import { RoleChoices } from './Roles'

export function RolesDialog({ pgid, member, onClose }: { pgid: string; member: Member; onClose: () => void }) {
  const { t } = useTranslation('members')
  const { t: common } = useTranslation()
  const isMe = useAccount().user.ui === member.gid
  const [roles, setRoles] = useState(member.roles as RoleNumber[])
  const { change } = useMemberChanges(pgid)
  const name = fullName(member)
  const changed = roles.join() !== member.roles.join()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!changed || roles.length === 0) return
    change.mutate(
      { gid: member.gid, roles },
      {
        onSuccess: () => {
          notify.success(t('change.saved', { name }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('change.title', { name })} size="lg">
      <form onSubmit={submit}>
        {isMe && <ModalText>{t('change.own')}</ModalText>}
        <RoleChoices roles={roles} onChange={setRoles} error={roles.length === 0 ? t('roles.pick') : undefined} />
        {change.error && (
          <p role="alert" className={styles.error}>
            {failureText(change.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" disabled={!changed || roles.length === 0} loading={change.isPending}>
            {t('change.save')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
