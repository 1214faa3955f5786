// Who uses a server that was started for a test run: files named after processes, in a folder.

/** The file of the worker that starts the server now. */
export const STARTER = 'starter';

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    // Not ours to signal, but there.
    return problem instanceof Error && 'code' in problem && problem.code === 'EPERM';
  }
}
