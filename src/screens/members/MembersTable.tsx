import { Ellipsis, LogOut, ShieldCheck, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Member, MemberList } from '../../../server/contracts/members'
import { useAccount, useCan } from '../../api/account'
import { ROLE } from '../../api/roles'
import { formatDate, formatMoment } from '../../i18n/format'
import { Avatar } from '../../ui/Avatar'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { fullName } from './fullName'
import styles from './members.module.css'
import { RemoveDialog } from './RemoveDialog'
import { RoleChips } from './Roles'
import { RolesDialog } from './RolesDialog'

type Asking = 'roles' | 'remove'

interface MembersTableProps {
  pgid: string
  /** those to show */
  members: Member[]
  list: MemberList
}

export function MembersTable({ pgid, members, list }: MembersTableProps) {
  const { t } = useTranslation('members')
  const [asking, setAsking] = useState<{ what: Asking; member: Member } | null>(null)
  const { without_second_factor, second_factor_required } = list
  const owners = list.members.filter(({ roles }) => roles.includes(ROLE.OWNER))
  const close = () => setAsking(null)
  return (
    <Card flush>
      <table className={styles.table} aria-label={t('people')}>
        <thead>
          <tr>
            <th scope="col">{t('person')}</th>
            <th scope="col">{t('rolesLabel')}</th>
            <th scope="col" className={styles.when}>
              {t('joined')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <Row
              key={member.gid}
              member={member}
              lastOwner={owners.length === 1 && owners[0]?.gid === member.gid}
              lacks={second_factor_required && without_second_factor.includes(member.gid)}
              onAsk={(what) => setAsking({ what, member })}
            />
          ))}
        </tbody>
      </table>
      {asking?.what === 'roles' && <RolesDialog pgid={pgid} member={asking.member} onClose={close} />}
      {asking?.what === 'remove' && <RemoveDialog pgid={pgid} member={asking.member} onClose={close} />}
    </Card>
  )
}

interface RowProps {
  member: Member
  lastOwner: boolean
  /** has no second factor, which the project wants */
  lacks: boolean
  onAsk: (what: Asking) => void
}

function Row({ member, lastOwner, lacks, onAsk }: RowProps) {
  const { t } = useTranslation('members')
  const isMe = useAccount().user.ui === member.gid
  return (
    <tr>
      <th scope="row">
        <span className={styles.person}>
          <Avatar name={fullName(member)} picture={member.picture} size={30} />
          <span className={styles.words}>
            <span className={styles.name}>
              <span className={styles.cut}>{fullName(member)}</span>
              {isMe && <Badge>{t('you')}</Badge>}
              {lastOwner && <Badge>{t('lastOwner')}</Badge>}
              {lacks && <Badge tone="warning">{t('signIn.none')}</Badge>}
            </span>
            <span className={styles.email}>{member.email}</span>
          </span>
        </span>
      </th>
      <td>
        <RoleChips roles={member.roles} />
      </td>
      <td className={styles.when}>
        <time dateTime={member.joined_at} title={formatMoment(member.joined_at)}>
          {formatDate(member.joined_at)}
        </time>
      </td>
      <td className={styles.end}>
        <RowMenu member={member} isMe={isMe} onAsk={onAsk} />
      </td>
    </tr>
  )
}

interface RowMenuProps {
  member: Member
  isMe: boolean
  onAsk: (what: Asking) => void
}

function RowMenu({ member, isMe, onAsk }: RowMenuProps) {
  const { t } = useTranslation('members')
  const mayChange = useCan('members.update')
  const mayRemove = useCan('members.remove')
  const { pgid = '' } = useParams()
  const isOwner = useAccount().user.project_roles.includes(ROLE.OWNER)
  const foreignOwner = member.roles.includes(ROLE.OWNER) && !isOwner
  return (
    <Menu width={220} position="bottom-end">
      <Menu.Target>
        <IconButton size="s" label={t('actions', { name: fullName(member) })} icon={<Ellipsis />} tooltip={false} />
      </Menu.Target>
      <Menu.Dropdown>
        {mayChange && (
          <MenuEntry leftSection={<ShieldCheck size={15} />} onClick={() => onAsk('roles')}>
            {t('change.open')}
          </MenuEntry>
        )}
        {isMe ? (
          <MenuEntry danger leftSection={<LogOut size={15} />} to={`/projects/${pgid}/settings/project/general`}>
            {t('leave.open')}
          </MenuEntry>
        ) : (
          mayRemove && (
            <MenuEntry
              danger
              leftSection={<UserMinus size={15} />}
              disabled={foreignOwner}
              onClick={() => onAsk('remove')}
            >
              {t('remove.open')}
            </MenuEntry>
          )
        )}
        {foreignOwner && <Menu.Label className={styles.reason}>{t('ownersOnly')}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
