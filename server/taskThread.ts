import { answerTasks } from './platform/workers/answerTasks'
import { tasks } from './tasks'

// The program of a worker thread, built beside the server's.
answerTasks(tasks)
