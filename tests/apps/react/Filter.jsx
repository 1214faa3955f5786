import {useFilter} from './store.js';

export function Filter() {
  const {search, status, change} = useFilter();
  return (
    <form onSubmit={event => event.preventDefault()}>
      <label>
        Search <input data-testid="search" value={search} onChange={event => change({search: event.target.value})} />
      </label>
      <label>
        Status{' '}
        <select value={status} onChange={event => change({status: event.target.value})}>
          <option value="all">All</option>
          <option value="open">Open</option>
          <option value="paid">Paid</option>
        </select>
      </label>
    </form>
  );
}
